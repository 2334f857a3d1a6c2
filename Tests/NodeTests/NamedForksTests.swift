import Records
import Testing

@testable import Node

@Suite struct NamedForksTests {
    private let space = SpaceDescriptor.open(name: "garden").id

    private func log(_ number: Int) -> LogName {
        LogName(device: DeviceID(raw: Digest.header.hash([UInt8(number)])), branch: .main)
    }

    @Test func `a log is recorded once for each link`() {
        var forks = NamedForks()
        let recorded = [1, 1, 2].map { forks.record(log($0), in: space) }
        #expect(recorded == [true, false, true])
    }

    @Test func `at most sixty-four logs are recorded`() {
        var forks = NamedForks()
        let recorded = (0..<65).map { forks.record(log($0), in: space) }
        #expect(recorded.count(where: \.self) == NamedForks.countMax)
        #expect(recorded.last == false)
    }
}

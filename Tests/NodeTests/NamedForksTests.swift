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
        let noted = [1, 1, 2].map { forks.note(log($0), in: space) }
        #expect(noted == [true, false, true])
    }

    @Test func `at most sixty-four logs are recorded`() {
        var forks = NamedForks()
        let noted = (0..<65).map { forks.note(log($0), in: space) }
        #expect(noted.count(where: \.self) == NamedForks.countMax)
        #expect(noted.last == false)
    }
}

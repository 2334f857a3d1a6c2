import Records
import Testing

@testable import Node

@Suite struct NamedForksTests {
    private let space = SpaceDescriptor.open(name: "garden").id

    private func log(_ number: Int) -> LogName {
        LogName(device: DeviceID(raw: Digest.header.hash([UInt8(number)])), branch: .main)
    }

    @Test func `a log is written down once for each link`() {
        var forks = NamedForks()
        let noted = [1, 1, 2].map { forks.note(log($0), in: space) }
        #expect(noted == [true, false, true])
    }

    @Test func `no more than sixty-four are written down`() {
        var forks = NamedForks()
        let noted = (0..<65).map { forks.note(log($0), in: space) }
        #expect(noted.count(where: \.self) == NamedForks.countMax)
        #expect(noted.last == false)
    }
}

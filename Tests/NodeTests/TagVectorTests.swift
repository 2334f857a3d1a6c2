import Foundation
import Identity
import Records
import Testing

@testable import Node

/// Mates find each other by a tag that both compute, so it must be the one in docs/protocol.md.
@Suite struct TagVectorTests {
    private let first: DeviceID
    private let key = [UInt8](repeating: 0xe5, count: 32)

    init() throws {
        first = try DeviceKey(rawRepresentation: [UInt8](repeating: 1, count: 32)).id
    }

    /// Returns the only vector with this name on the page.
    private func promised(_ name: String) throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(
            contentsOf: root.appendingPathComponent("docs/protocol.md"), encoding: .utf8)
        let lines = page.components(separatedBy: "\n").filter { $0.hasPrefix("\(name) = ") }
        try #require(lines.count == 1)
        return String(lines[0].dropFirst(name.count + 3))
    }

    @Test func `the announced tag is the one on the protocol page`() throws {
        let tag = TagSchedule.tag(key: key, device: first, hour: 472_222)
        #expect(try Hexadecimal.text(tag) == promised("tag"))
    }

    @Test func `an hour has one number from its first millisecond to its last`() {
        let start = Timestamp(milliseconds: 472_222 * 3_600_000)
        #expect(TagSchedule.hour(wallTime: start - .milliseconds(1)) == 472_221)
        #expect(TagSchedule.hour(wallTime: start) == 472_222)
        #expect(TagSchedule.hour(wallTime: start + .milliseconds(3_599_999)) == 472_222)
        #expect(TagSchedule.hour(wallTime: start + .milliseconds(3_600_000)) == 472_223)
    }

    @Test func `the tags of the hours before and after are recognized, and no others`() {
        let table = TagSchedule.table([(key: key, device: first)], hour: 472_222)
        for hour in 472_221...472_223 as ClosedRange<Int64> {
            #expect(table[TagSchedule.tag(key: key, device: first, hour: hour)] == first)
        }
        #expect(table.count == 3)
    }
}

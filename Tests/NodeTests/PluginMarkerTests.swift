import Foundation
import PluginHost
import PluginKit
import Testing

@Suite struct PluginMarkerTests {
    private let directory = "/tmp/waggle-marker-\(UUID().uuidString.prefix(8))"
    private let change = RecordChange(
        collection: "x/1", space: .open(name: "x"),
        entity: EntityID(raw: Bytes16(prefixOf: Digest.entity.hash([1]))),
        author: PersonID(raw: Digest.person.hash([1])), isOwn: false)

    init() throws {
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
    }

    private func marker() throws -> PluginMarker {
        try PluginMarker(directory: directory, plugins: ["chat", "drop"])
    }

    /// Simulates the effect of a trap: the marker exists and is not removed.
    private func trap() throws {
        try Data(change.entity.description.utf8)
            .write(to: URL(fileURLWithPath: directory + "/at-work-chat"))
    }

    @Test func `a change that a plugin trapped on is set aside for that plugin only`() throws {
        try trap()
        let marker = try self.marker()
        #expect(marker.isSetAside("chat", change))
        #expect(!marker.isSetAside("drop", change))
        #expect(!marker.isDisabled("chat"))
        try FileManager.default.removeItem(atPath: directory)
    }

    @Test func `a plugin is disabled after the third trap and not after the second`() throws {
        for _ in 0..<2 {
            try trap()
            #expect(!(try marker().isDisabled("chat")))
        }
        try trap()
        #expect(try marker().isDisabled("chat"))
        #expect(try marker().isDisabled("chat"))
        try FileManager.default.removeItem(atPath: directory)
    }

    @Test func `work that succeeds resets the count`() async throws {
        for _ in 0..<2 {
            try trap()
            _ = try marker()
        }
        try await marker().guarding("chat") {}
        try trap()
        #expect(!(try marker().isDisabled("chat")))
        try FileManager.default.removeItem(atPath: directory)
    }

    @Test func `work that succeeds or throws leaves no marker`() async throws {
        let marker = try self.marker()
        try await marker.guarding("chat", [change]) {}
        try? await marker.guarding("chat", [change]) { throw CommandFault.failed("no") }
        #expect(!(try self.marker().isSetAside("chat", change)))
        try FileManager.default.removeItem(atPath: directory)
    }
}

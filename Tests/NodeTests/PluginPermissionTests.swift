import Foundation
import Logging
import Neighbours
import NodeTestSupport
import PluginKit
import Testing

@testable import Node

/// The manifest is the permission: what it does not declare, the host refuses.
@Suite(.serialized) struct PluginPermissionTests {
    private func attempt(
        _ what: String, sql: String? = nil, _ check: (Result<JSONValue, any Error>) -> Void
    ) async throws {
        let node = try await RunningNode.start(
            try RunningNode.founded(), plugins: [Neighbours.self, NosyPlugin.self])
        do {
            var arguments: [String: JSONValue] = ["what": .string(what)]
            if let sql { arguments["sql"] = .string(sql) }
            check(.success(try await node.perform("nosy", "try", arguments)))
        } catch {
            check(.failure(error))
        }
        try await node.remove()
    }

    @Test(arguments: ["note in card", "profile", "open card", "topic", "direct", "mate", "inbox"])
    func `what is not declared is refused by name`(what: String) async throws {
        try await attempt(what) { result in
            #expect(throws: CommandFault.self) { try result.get() }
            if case .failure(let fault as CommandFault) = result {
                #expect(fault.code == "refused")
                #expect(fault.sentence.contains("nosy"))
            }
        }
    }

    @Test func `its own collection in its own space is its to write`() async throws {
        try await attempt("own note") { result in
            #expect(throws: Never.self) { try result.get() }
        }
    }

    @Test func `a field over its limit is refused and named`() async throws {
        try await attempt("long note") { result in
            #expect(throws: CommandFault.self) { try result.get() }
            if case .failure(let fault as CommandFault) = result {
                #expect(fault.sentence.contains("text"))
            }
        }
    }

    @Test(arguments: [
        "SELECT * FROM nosy_note", "SELECT * FROM neighbours_relations",
        "SELECT * FROM waggle_space",
    ])
    func `its own tables and the core's tables and views are open`(sql: String) async throws {
        try await attempt("read", sql: sql) { result in
            #expect(throws: Never.self) { try result.get() }
        }
    }

    @Test(arguments: [
        "SELECT * FROM batch", "SELECT * FROM register", "DELETE FROM nosy_note",
        "PRAGMA journal_mode = DELETE", "SELECT * FROM sqlite_master", "ATTACH ':memory:' AS x",
        "SELECT 1; DROP TABLE nosy_note",
    ])
    func `the engine's tables are closed and nothing is written by SQL`(sql: String) async throws {
        try await attempt("read", sql: sql) { result in
            #expect(throws: (any Error).self) { try result.get() }
        }
    }

    @Test func `without the service nobody is shown and nothing announced`() async throws {
        try await attempt("nearby") { result in
            #expect((try? result.get()) == .integer(0))
        }
    }
}

@Suite struct ManifestCheckTests {
    private func collection(_ name: String, table: String) -> RecordCollection {
        RecordCollection(name, table: table, spaces: [.own], fields: [])
    }

    @Test func `this build's plugins pass`() throws {
        try ManifestCheck.check(PluginCatalogue.all.map { $0.manifest })
    }

    @Test(arguments: ["", "Chat", "two words", "chat_1"])
    func `an id that is no lower-case word is refused`(id: String) {
        #expect(throws: CommandFault.self) {
            try ManifestCheck.check([Manifest(id: id, version: 1)])
        }
    }

    @Test func `two plugins of one id are refused`() {
        let manifest = Manifest(id: "chat", version: 1)
        #expect(throws: CommandFault.self) { try ManifestCheck.check([manifest, manifest]) }
    }

    @Test func `a table under another plugin's name is refused`() {
        let manifest = Manifest(
            id: "chat", version: 1, collections: [collection("chat.room/1", table: "drop_room")])
        #expect(throws: CommandFault.self) { try ManifestCheck.check([manifest]) }
    }

    @Test func `one collection in two plugins is refused`() {
        let one = Manifest(
            id: "one", version: 1, collections: [collection("same/1", table: "one_same")])
        let two = Manifest(
            id: "two", version: 1, collections: [collection("same/1", table: "two_same")])
        #expect(throws: CommandFault.self) { try ManifestCheck.check([one, two]) }
    }

    @Test func `a topic of two plugins is refused`() {
        let one = Manifest(id: "one", version: 1, directTopics: ["talk"])
        let two = Manifest(id: "two", version: 1, directTopics: ["talk"])
        #expect(throws: CommandFault.self) { try ManifestCheck.check([one, two]) }
    }
}

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

    /// What a trap leaves: the marker stands and nobody takes it away.
    private func trap() throws {
        let lines = ["chat", change.entity.description].joined(separator: "\n")
        try Data(lines.utf8).write(to: URL(fileURLWithPath: directory + "/plugin-at-work"))
    }

    @Test func `what a plugin trapped on is set aside for it and for no other`() throws {
        try trap()
        let marker = try PluginMarker(directory: directory)
        #expect(marker.isSetAside("chat", change))
        #expect(!marker.isSetAside("drop", change))
        #expect(!marker.isDisabled("chat"))
        try FileManager.default.removeItem(atPath: directory)
    }

    @Test func `a plugin is disabled after the third trap and not after the second`() throws {
        for _ in 0..<2 {
            try trap()
            #expect(!(try PluginMarker(directory: directory).isDisabled("chat")))
        }
        try trap()
        #expect(try PluginMarker(directory: directory).isDisabled("chat"))
        #expect(try PluginMarker(directory: directory).isDisabled("chat"))
        try FileManager.default.removeItem(atPath: directory)
    }

    @Test func `work that ends well or throws leaves no mark`() async throws {
        let marker = try PluginMarker(directory: directory)
        try await marker.guarding("chat", [change]) {}
        try? await marker.guarding("chat", [change]) { throw CommandFault.failed("no") }
        #expect(!(try PluginMarker(directory: directory).isSetAside("chat", change)))
        try FileManager.default.removeItem(atPath: directory)
    }
}

import PluginKit
import Testing

@testable import Node

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

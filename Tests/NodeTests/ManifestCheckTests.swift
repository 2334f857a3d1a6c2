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

    @Test func `a plugin with the host's own id is refused`() {
        #expect(throws: CommandFault.self) {
            try ManifestCheck.check([Manifest(id: "host", version: 1)])
        }
    }

    @Test func `groups are named by views of one's own`() throws {
        let views = [
            Manifest.View("walks_titles", "SELECT 1"), Manifest.View("walks_names", "SELECT 1"),
        ]
        for (titles, names) in [
            ("walks_titles", "walks_other"), ("drop_titles", "walks_names"),
        ] {
            let manifest = Manifest(
                id: "walks", version: 1, views: views,
                groups: .init(titlesView: titles, namesView: names))
            #expect(throws: CommandFault.self) { try ManifestCheck.check([manifest]) }
        }
        try ManifestCheck.check([
            Manifest(
                id: "walks", version: 1, views: views,
                groups: .init(titlesView: "walks_titles", namesView: "walks_names"))
        ])
    }
}

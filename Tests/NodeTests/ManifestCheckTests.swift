import PluginHost
import PluginKit
import TestSupport
import Testing

@testable import Node

@Suite struct ManifestCheckTests {
    private func collection(_ name: String, table: String) -> RecordCollection {
        RecordCollection(name, table: table, spaces: [.own], fields: [])
    }

    @Test func `the plugins of this build pass`() throws {
        try ManifestCheck.check(PluginCatalogue.all)
    }

    @Test func `a second core is refused`() {
        let plugins = PluginCatalogue.all + [Friendly.self]
        #expect(throws: CommandFault.failed("more than one plugin says who is a mate")) {
            try ManifestCheck.check(plugins)
        }
    }

    @Test(arguments: ["", "Chat", "two words", "chat_1"])
    func `an id that is not a lower-case word is refused`(id: String) {
        #expect(throws: CommandFault.self) {
            try ManifestCheck.check([Manifest(id: id, version: 1)])
        }
    }

    @Test func `two plugins with one id are refused`() {
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

    @Test func `a collection for open spaces needs the service, with or without content`() throws {
        func manifest(_ field: FieldType, _ services: Set<Manifest.Service>) -> Manifest {
            let posts = RecordCollection(
                "one.post/1", table: "one_post", spaces: [.open], fields: [.init(1, "text", field)])
            return Manifest(id: "one", version: 1, collections: [posts], services: services)
        }
        try ManifestCheck.check([manifest(.text(bytesMax: 10), [.neighbourhoods])])
        #expect(throws: CommandFault.self) {
            try ManifestCheck.check([manifest(.text(bytesMax: 10), [.groups])])
        }
        let photo = FieldType.blob(kinds: ["image/jpeg"], bytesMax: 10)
        try ManifestCheck.check([manifest(photo, [.neighbourhoods])])
        #expect(throws: CommandFault.self) { try ManifestCheck.check([manifest(photo, [])]) }
    }

    @Test func `a topic of two plugins is refused`() {
        let one = Manifest(id: "one", version: 1, directTopics: ["talk"])
        let two = Manifest(id: "two", version: 1, directTopics: ["talk"])
        #expect(throws: CommandFault.self) { try ManifestCheck.check([one, two]) }
    }

    @Test func `an event of two plugins is refused`() {
        let event = Event<AnyChange>("talk", help: "Talk.").declaration
        let one = Manifest(id: "one", version: 1, events: [event])
        let two = Manifest(id: "two", version: 1, events: [event])
        #expect(throws: CommandFault.self) { try ManifestCheck.check([one, two]) }
    }

    @Test(arguments: ["status", "link", "open", "lost", "Talk", "two words", "a\nb", ""])
    func `an event of the node's own topics, or that is no word, is refused`(topic: String) {
        let event = Event<AnyChange>(topic, help: "Talk.").declaration
        #expect(throws: CommandFault.self) {
            try ManifestCheck.check([Manifest(id: "one", version: 1, events: [event])])
        }
    }

    @Test func `notices of two plugins, and a kind that is not a word, are refused`() throws {
        func manifest(_ id: String, _ kind: InboxKind) -> Manifest {
            Manifest(id: id, version: 1, notices: [.init(kind, help: "News.")])
        }
        try ManifestCheck.check([manifest("one", "one"), manifest("two", "two")])
        for manifests in [
            [manifest("one", "same"), manifest("two", "same")], [manifest("one", "two words")],
        ] { #expect(throws: CommandFault.self) { try ManifestCheck.check(manifests) } }
    }

    @Test func `a plugin with the host's own id is refused`() {
        #expect(throws: CommandFault.self) {
            try ManifestCheck.check([Manifest(id: "host", version: 1)])
        }
    }

    private func announcing(
        _ id: String, _ fields: [(key: String, bytesMax: Int)],
        services: Set<Manifest.Service> = []
    ) -> Manifest {
        Manifest(
            id: id, version: 1,
            announces: fields.map { .init($0.key, bytesMax: $0.bytesMax, shown: .always) },
            services: services)
    }

    @Test(arguments: ["", "abcd", "A", "a1", "v", "t"])
    func `a key that is invalid, or the node's own, is refused`(key: String) {
        #expect(throws: CommandFault.self) {
            try ManifestCheck.check([announcing("one", [(key, 1)])])
        }
    }

    @Test func `interests are declared in the one form that every node reads`() throws {
        func interests(_ bytesMax: Int, _ shown: Manifest.AnnouncedField.Shown) -> Manifest {
            Manifest(
                id: "one", version: 1,
                announces: [.init("i", bytesMax: bytesMax, shown: shown)])
        }
        try ManifestCheck.check([interests(22, .whileVisible)])
        for manifest in [
            interests(21, .whileVisible), interests(23, .whileVisible), interests(22, .always),
        ] { #expect(throws: CommandFault.self) { try ManifestCheck.check([manifest]) } }
    }

    @Test func `one announced field in two plugins, or twice in one, is refused`() throws {
        try ManifestCheck.check([announcing("one", [("a", 1)]), announcing("two", [("b", 1)])])
        for manifests in [
            [announcing("one", [("a", 1)]), announcing("two", [("a", 1)])],
            [announcing("one", [("a", 1), ("a", 1)])],
        ] { #expect(throws: CommandFault.self) { try ManifestCheck.check(manifests) } }
    }

    @Test func `a field declares 1 to 96 bytes`() throws {
        try ManifestCheck.check([announcing("one", [("a", 96), ("b", 1)])])
        for bytesMax in [0, 97, -1] {
            #expect(throws: CommandFault.self) {
                try ManifestCheck.check([announcing("one", [("a", bytesMax)])])
            }
        }
    }

    @Test func `only a field with a switch opens a meeting`() throws {
        func manifest(_ shown: Manifest.AnnouncedField.Shown) -> Manifest {
            Manifest(
                id: "one", version: 1,
                announces: [.init("a", bytesMax: 1, shown: shown, opensMeeting: true)])
        }
        try ManifestCheck.check([manifest(.whileSwitchedOn)])
        for shown in [Manifest.AnnouncedField.Shown.always, .whileVisible] {
            #expect(throws: CommandFault.self) { try ManifestCheck.check([manifest(shown)]) }
        }
    }

    @Test func `the fields of one plugin take at most 200 bytes`() throws {
        let longest: [(key: String, bytesMax: Int)] = [("a", 96), ("b", 91)]
        try ManifestCheck.check([announcing("one", longest + [("c", 4)])])
        #expect(throws: CommandFault.self) {
            try ManifestCheck.check([announcing("one", longest + [("c", 5)])])
        }
    }

    @Test(arguments: [Manifest.Service.visibility, .meetings])
    func `two plugins that set the visibility or perform meetings are refused`(
        service: Manifest.Service
    ) {
        #expect(throws: CommandFault.self) {
            try ManifestCheck.check([
                announcing("one", [], services: [service]),
                announcing("two", [], services: [service]),
            ])
        }
    }

    @Test func `groups are named by views of the plugin's own`() throws {
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

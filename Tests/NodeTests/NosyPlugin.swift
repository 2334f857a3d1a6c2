import FeaturesAPI
import PluginKit

/// The body of an event that says that anything may have changed.
struct AnyChange: EventBody {}

/// A plugin that declares almost nothing and tries everything.
struct NosyPlugin: Plugin {
    static let manifest = Manifest(
        id: "nosy", version: 1,
        collections: [
            RecordCollection(
                "nosy.note/1", table: "nosy_note", spaces: [.own],
                fields: [.init(1, "text", .text(bytesMax: 10))]),
            RecordCollection(
                "nosy.word/1", table: "nosy_word", spaces: [.group],
                fields: [.init(1, "text", .text(bytesMax: 10))]),
        ],
        ephemeralTopics: ["nosy"], directTopics: ["nosy"],
        events: [Event<AnyChange>("nosy", help: "Nosy.").declaration],
        notices: [.init("snoop", help: "Snooping.")])

    static let attempt = Command<Attempt, Attempted>(
        .action, "nosy", "try", help: "Tries something.")

    struct Attempt: CommandRequest {
        var what: String
        var sql: String?

        static let help = ["what": "What to try.", "sql": "What to read."]
        static let positional = ["what"]
    }

    struct Attempted: Codable, Sendable {
        /// The number of things that were read.
        var count: Int?
    }

    static let commands: [CommandHandler] = [
        handle(attempt) { plugin, request in
            Attempted(count: try await plugin.attempt(request.what, request.sql))
        }
    ]

    let context: PluginContext

    init(context: PluginContext) { self.context = context }

    private func attempt(_ what: String, _ sql: String?) async throws -> Int? {
        let mine = SpaceDescriptor.own(context.me)
        switch what {
        case "own note":
            try await context.replica.author(
                [.own(collection: "nosy.note/1", fields: ["text": .text("hello")])], in: mine)
        case "long note":
            try await context.replica.author(
                [.own(collection: "nosy.note/1", fields: ["text": .text("hello, world")])],
                in: mine)
        case "note in card":
            try await context.replica.author(
                [.own(collection: "nosy.note/1", fields: [:])], in: .card(context.me))
        case "profile":
            try await context.replica.author(
                [.own(collection: "neighbours.profile/1", fields: ["nickname": .text("Nosy")])],
                in: .card(context.me))
        case "open card": try await context.replica.open(.card(context.me))
        case "read": return try await context.replica.rows(sql ?? "").count
        case "open group":
            try await context.replica.open(.group(owner: context.me, nonce: .zero))
        case "create group": _ = try await context.groups.create()
        case "join group":
            try await context.groups.accept(.group(owner: context.me, nonce: .zero))
        case "neighbourhoods": _ = try await context.neighbourhoods.joined()
        case "open neighbourhood": try await context.replica.open(.open(name: "seongsu"))
        case "photo": _ = try await context.blobs.put([1], kind: "image/jpeg", in: mine)
        case "file":
            _ = try await context.files.read(FilePath("/dev/null"), bytesMax: 1)
        case "new file":
            _ = try await context.files.save("", to: FilePath("/nowhere/nosy"))
        case "journal": _ = try await context.journal.entries()
        case "journal entry": try await context.journal.append([[1]])
        case "foreign photo":
            guard let blob = Blob(of: [1], kind: "image/jpeg") else { return nil }
            return try await context.blobs.find(blob, in: .card(context.me))?.count
        case "topic":
            try await context.topics.sendEphemeral(
                "location", [1], to: .card(context.me), expiry: .seconds(1))
        case "direct": try await context.topics.sendDirect("drop", [1], to: context.device)
        case "mate": _ = try await context.core.myCard()
        case "inbox": try await context.core.settleInbox(reference: "x")
        case "announce": try await context.nearby.announce("n", Array("Nosy".utf8))
        case "switch": try await context.nearby.setSwitch("f", isOn: true)
        case "visible": try await context.nearby.setVisible(true)
        case "notice": try await notify(of: "nosy", pressing: Self.attempt, .init(what: "read"))
        case "own button":
            try await notify(of: "snoop", pressing: Self.attempt, .init(what: "read"))
        case "foreign button":
            try await notify(of: "snoop", pressing: MateCommands.list, NoParameters())
        case "nearby": return try await context.nearby.people().count
        case "empty reason": _ = try await context.nearby.reasonNobodyIsSeen()
        default: throw CommandFault.usage("what is '\(what)'?")
        }
        return nil
    }

    private func notify<Request, Answer>(
        of kind: InboxKind, pressing command: Command<Request, Answer>, _ request: Request
    ) async throws {
        try await context.desktop.notify(
            DesktopNotice(
                about: InboxSubject(kind, "1"), title: "Nosy", body: "", withoutText: "Nosy",
                actions: [.init("Press", command, request)]))
    }
}

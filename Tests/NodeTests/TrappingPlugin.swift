import PluginKit
import Synchronization

/// A faulty plugin: it traps on every note that says "trap".
final class TrappingPlugin: Plugin {
    static let manifest = Manifest(
        id: "trapping", version: 1,
        collections: [
            RecordCollection(
                "trapping.note/1", table: "trapping_note", spaces: [.own],
                fields: [.init(1, "text", .text(bytesMax: 32))])
        ], events: [changed.declaration])

    private static let changed = Event<AnyChange>("trapping", help: "A note was read.")

    static let write = Command<WriteNote, Done>(
        .action, "trapping", "write", help: "Writes a note.")
    static let touch = Command<NoParameters, Done>(
        .action, "trapping", "touch", help: "Writes every note anew, as it is.")
    static let list = Command<NoParameters, Notes>(
        .query, "trapping", "list", help: "Says which notes there are.")
    static let taken = Command<NoParameters, Notes>(
        .query, "trapping", "taken", help: "Says which notes were handed over.")

    struct WriteNote: CommandRequest {
        var text: String
        static let help = ["text": "What it says."]
    }

    struct Notes: Codable, Sendable { var texts: [String] }

    static let commands: [CommandHandler] = [
        handle(write) { plugin, request in
            try await plugin.write(
                .create(
                    collection: "trapping.note/1", nonce: plugin.context.random.nonce(),
                    fields: ["text": .text(request.text)]))
            return Done()
        },
        handle(touch) { plugin, _ in
            for row in try await plugin.context.replica.rows("SELECT * FROM trapping_note") {
                guard let entity = row.entity("entity") else { continue }
                try await plugin.write(
                    .set(
                        collection: "trapping.note/1", entity: entity,
                        fields: ["text": row["text"]]))
            }
            return Done()
        },
        handle(list) { plugin, _ in
            let rows = try await plugin.context.replica.rows("SELECT text FROM trapping_note")
            return Notes(texts: rows.compactMap { $0.text("text") })
        },
        handle(taken) { plugin, _ in Notes(texts: plugin.taken.withLock { $0 }) },
    ]

    private let context: PluginContext
    private let taken = Mutex<[String]>([])

    init(context: PluginContext) { self.context = context }

    func applied(_ changes: [RecordChange]) async throws {
        for change in changes {
            let rows = try await context.replica.rows(
                "SELECT text FROM trapping_note WHERE entity = ?", [.bytes(change.entity.bytes)])
            for text in rows.compactMap({ $0.text("text") }) {
                guard text != "trap" else { fatalError("the mistake of a plugin") }
                taken.withLock { $0.append(text) }
            }
        }
        await context.events.publish(Self.changed, AnyChange())
    }

    private func write(_ edit: Edit) async throws {
        try await context.replica.author([edit], in: .own(context.me))
    }
}

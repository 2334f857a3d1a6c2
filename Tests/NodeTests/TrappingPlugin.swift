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

    static let commands = [
        CommandHandler(
            CommandDeclaration(
                "trapping", "write", .action, help: "Writes a note.",
                parameters: [.required("text", .text, "What it says.")], result: .any),
            of: TrappingPlugin.self
        ) { plugin, arguments in
            try await plugin.write(
                .create(
                    collection: "trapping.note/1", nonce: plugin.context.random.nonce(),
                    fields: ["text": .text(arguments["text"]?.string ?? "")]))
        },
        CommandHandler(
            CommandDeclaration(
                "trapping", "touch", .action, help: "Writes every note anew, as it is.",
                result: .any),
            of: TrappingPlugin.self
        ) { plugin, _ in
            for row in try await plugin.context.replica.rows("SELECT * FROM trapping_note") {
                guard let entity = row.entity("entity") else { continue }
                try await plugin.write(
                    .set(
                        collection: "trapping.note/1", entity: entity,
                        fields: ["text": row["text"]]))
            }
            return .object([:])
        },
        CommandHandler(
            CommandDeclaration(
                "trapping", "list", .query, help: "Says which notes there are.", result: .any),
            of: TrappingPlugin.self
        ) { plugin, _ in
            let rows = try await plugin.context.replica.rows("SELECT text FROM trapping_note")
            return .array(rows.compactMap { $0.text("text").map { .string($0) } })
        },
        CommandHandler(
            CommandDeclaration(
                "trapping", "taken", .query, help: "Says which notes were handed over.",
                result: .any),
            of: TrappingPlugin.self
        ) { plugin, _ in
            .array(plugin.taken.withLock { $0 }.map { .string($0) })
        },
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

    @discardableResult
    private func write(_ edit: Edit) async throws -> JSONValue {
        try await context.replica.author([edit], in: .own(context.me))
        return .object([:])
    }
}

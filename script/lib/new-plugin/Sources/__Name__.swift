public import PluginKit
internal import __Name__API

/// Entries of one line that all devices of this person share.
public struct __Name__: Plugin {
    /// The declarations of the plugin, which are also its permissions.
    public static let manifest = Manifest(
        id: "__name__", version: 1, collections: [entries],
        events: [__Name__Events.changed.declaration])

    /// The functions that perform the commands.
    public static let commands: [CommandHandler] = [
        handle(__Name__Commands.add) { plugin, request in try await plugin.add(request) },
        handle(__Name__Commands.list) { plugin, _ in try await plugin.list() },
    ]

    /// An entry. Its creator writes it once.
    static let entries = RecordCollection(
        "__name__.entry/1", table: "__name___entry", spaces: [.own],
        fields: [
            .init(1, "text", .text(bytesMax: EntryText.rule.bytesMax), merge: .append),
            .init(2, "at_ms", .integer(0...Timestamp.millisecondsMax), merge: .append),
        ])

    /// The most entries in a list.
    static let listedCountMax: Int64 = 100

    let context: PluginContext

    /// Creates the plugin with the services it may use.
    public init(context: PluginContext) { self.context = context }

    /// Publishes that the entries have changed.
    public func applied(_ changes: [RecordChange]) async throws {
        await context.events.publish(
            changes.map { change in
                EventMessage(__Name__Events.changed, __Name__Change(id: RecordKey(change.entity)))
            })
    }

    private func add(_ request: Add__Name__) async throws -> __Name__Entry {
        let now = context.clock.wallTime
        let ids = try await context.replica.author(
            [
                .create(
                    collection: Self.entries.name, nonce: context.random.nonce(),
                    fields: [
                        "text": .text(request.text.string), "at_ms": .integer(now.milliseconds),
                    ])
            ], in: .own(context.me))
        guard let id = ids.first else { throw CommandFault.failed("The entry was not stored.") }
        return __Name__Entry(id: RecordKey(id), text: request.text.string, atMs: now)
    }

    private func list() async throws -> __Name__List {
        let rows = try await context.replica.rows(
            "SELECT * FROM __name___entry ORDER BY at_ms DESC, entity LIMIT ?",
            [.integer(Self.listedCountMax)])
        return __Name__List(
            entries: rows.compactMap { row in
                guard let id = row.entity("entity"), let atMs = row.integer("at_ms"),
                    let text = row.text("text").flatMap(EntryText.rule.clip)
                else { return nil }
                return __Name__Entry(
                    id: RecordKey(id), text: text, atMs: Timestamp(milliseconds: atMs))
            })
    }
}

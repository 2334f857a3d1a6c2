public import PluginKit
internal import WaveAPI

/// A wave at a mate: the smallest useful plugin. Waves are stored, so they reach a mate who is
/// offline, and each appears in the mate's inbox.
public struct Wave: Plugin {
    /// The declarations of the plugin, which also limit what it may do.
    public static let manifest = Manifest(
        id: "wave", version: 1, collections: [waves], events: [WaveEvents.changed.declaration],
        notices: [.init("wave", help: "Waves of mates.")], services: [.mates, .inbox])

    /// A wave. Only its author writes it, once.
    static let waves = RecordCollection(
        "wave.wave/1", table: "wave_waves", spaces: [.pair],
        fields: [
            .init(1, "greeting", .text(bytesMax: greetingBytesMax), merge: .append),
            .init(2, "at_ms", .integer(0...Timestamp.millisecondsMax), merge: .append),
        ])

    /// The limit of a greeting, in bytes of UTF-8.
    static let greetingBytesMax = 200
    /// The number of waves that a list shows, newest first.
    static let listedCountMax: Int64 = 100

    let context: PluginContext

    /// Creates the plugin with everything it may use.
    public init(context: PluginContext) { self.context = context }

    /// Puts waves that arrived into the inbox.
    public func applied(_ changes: [RecordChange]) async throws {
        for change in changes where change.author != context.me {
            let item = InboxItem(
                kind: "wave", reference: "wave-\(change.entity)", title: "A mate waves at you",
                body: try await greeting(in: change).map { Sentence(verbatim: $0) } ?? "Hello!",
                actions: [], from: change.author)
            try await context.core.postToInbox(item)
            try await context.desktop.notify(notice(about: item))
        }
        await context.events.publish(
            changes.map { EventMessage(WaveEvents.changed, WaveChange(id: RecordKey($0.entity))) })
    }

    private func notice(about item: InboxItem) -> DesktopNotice {
        DesktopNotice(
            about: item.subject, from: item.person, title: item.title, body: item.body,
            withoutText: item.title,
            actions: item.person.map {
                [DesktopNotice.Action("Wave back", WaveCommands.send, SendWave(to: NameOrKey($0)))]
            } ?? [])
    }

    private func greeting(in change: RecordChange) async throws -> String? {
        try await context.replica.rows(
            """
            SELECT w.greeting AS greeting FROM waggle_space s
            JOIN wave_waves w ON w.space = s.space WHERE s.id = ? AND w.entity = ?
            """, [.bytes(change.space.id.bytes), .bytes(change.entity.bytes)]
        ).first?.text("greeting")
    }
}

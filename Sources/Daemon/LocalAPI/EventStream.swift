import ControlAPI
import PluginKit
import ServiceLifecycle

/// Writes events to one listener until it leaves or the node stops.
struct EventStream: Sendable {
    /// The interval of the comments that show that the stream is still open.
    static let heartbeatInterval = Duration.seconds(15)

    let events: AsyncStream<NodeEvent>
    /// The topics to send; an empty set means all.
    let topics: Set<String>
    let clock: any NodeClock

    /// Writes the stream piece by piece; each write waits until the listener has received it.
    ///
    /// It returns when the events end and when the services begin to shut down. `cut` is called
    /// then, for a listener that reads nothing and so would delay the shutdown.
    @concurrent func write(
        _ write: @concurrent (String) async throws -> Void, cut: @escaping @Sendable () -> Void
    ) async throws {
        let backlog = EventBacklog()
        backlog.add(.event(.opened))
        try await withGracefulShutdownHandler {
            try await withThrowingTaskGroup { group in
                group.addTask { await collect(into: backlog) }
                group.addTask { try await beat(into: backlog) }
                for await entry in backlog.entries {
                    try await write(text(of: entry, lostCount: backlog.removeLostCount()))
                }
                group.cancelAll()
            }
        } onGracefulShutdown: {
            backlog.finish()
            cut()
        }
    }

    private func collect(into backlog: EventBacklog) async {
        for await event in events where topics.isEmpty || topics.contains(event.topic) {
            backlog.add(.event(event))
        }
        backlog.finish()
    }

    private func beat(into backlog: EventBacklog) async throws {
        while true {
            try await clock.sleep(for: Self.heartbeatInterval)
            backlog.add(.heartbeat)
        }
    }

    private func text(of entry: EventBacklog.Entry, lostCount: Int) -> String {
        let text =
            switch entry {
            case .event(let event): event.serverSentText
            case .heartbeat: NodeEvent.heartbeatText
            }
        return lostCount == 0 ? text : NodeEvent.lost(count: lostCount).serverSentText + text
    }
}

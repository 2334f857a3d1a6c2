import NIOCore

/// An absolute deadline on an event loop. Only ``cancel()`` stops it.
struct Deadline {
    private var scheduled: Scheduled<Void>?

    /// Whether the deadline is running.
    var isRunning: Bool { scheduled != nil }

    /// Calls `missed` after `limit` on `eventLoop`, and replaces an earlier deadline.
    mutating func start(
        _ limit: Duration, on eventLoop: any EventLoop, missed: @escaping () -> Void
    ) {
        cancel()
        scheduled = eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(limit)) { missed() }
    }

    /// Stops the deadline.
    mutating func cancel() {
        scheduled?.cancel()
        scheduled = nil
    }
}

import NIOCore

/// One absolute deadline on an event loop: nothing but ``cancel()`` puts it off.
struct Deadline {
    private var scheduled: Scheduled<Void>?

    /// Whether the deadline is still ahead.
    var isRunning: Bool { scheduled != nil }

    /// Calls `missed` after `limit` on `eventLoop`, in place of what was scheduled before.
    mutating func start(
        _ limit: Duration, on eventLoop: any EventLoop, missed: @escaping () -> Void
    ) {
        cancel()
        scheduled = eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(limit)) { missed() }
    }

    /// The deadline was met.
    mutating func cancel() {
        scheduled?.cancel()
        scheduled = nil
    }
}

import CGtk
import Glibc

/// GLib's main loop, made to run the main actor's jobs too.
///
/// A GLib loop alone starves `@MainActor`. libdispatch lends its main queue to other run loops
/// through an eventfd and a drain function; watching the one and calling the other makes main-actor
/// jobs and dispatch timers run between GTK's own events, with no polling.
@MainActor
public enum MainLoop {
    private static var isBridged = false

    /// Begins to serve the main actor from GLib's loop; later calls do nothing.
    public static func bridge() {
        guard !isBridged else { return }
        isBridged = true
        unsafe g_unix_fd_add(
            _dispatch_get_main_queue_handle_4CF(), G_IO_IN,
            { handle, _, _ in
                // The count must be read first: libdispatch leaves it, and a handle that stays
                // readable would leave GTK no time to draw.
                var count: UInt64 = 0
                _ = unsafe read(handle, &count, MemoryLayout<UInt64>.size)
                _dispatch_main_queue_callback_4CF(nil)
                return 1
            }, nil)
    }

    /// Runs the loop until something is done, for `limit` at most, after the end of an application.
    public static func turn(atMost limit: Duration, until isDone: @MainActor () -> Bool) {
        let end = now + limit
        // The loop waits for something to happen; at the end this does.
        after(limit) {}
        while !isDone(), now < end { g_main_context_iteration(nil, 1) }
    }

    /// Suspends the caller for `duration`, rounded to whole milliseconds, on GLib's clock.
    public static func wait(for duration: Duration) async {
        await withCheckedContinuation { continuation in
            after(duration) { continuation.resume() }
        }
    }

    /// Runs `action` once, `duration` from now.
    public static func after(_ duration: Duration, _ action: @escaping @MainActor () -> Void) {
        let box = unsafe Unmanaged.passRetained(ClosureBox(action)).toOpaque()
        unsafe g_timeout_add_full(
            G_PRIORITY_DEFAULT, milliseconds(duration),
            { box in
                unsafe run(box, as: (@MainActor () -> Void).self) { $0() }
                return 0
            }, box, { unsafe releaseBox($0) })
    }

    /// Runs `action` once, as soon as the window is drawn and nothing else is to be done.
    public static func whenIdle(_ action: @escaping @MainActor () -> Void) {
        let box = unsafe Unmanaged.passRetained(ClosureBox(action)).toOpaque()
        unsafe g_idle_add_full(
            G_PRIORITY_DEFAULT_IDLE,
            { box in
                unsafe run(box, as: (@MainActor () -> Void).self) { $0() }
                return 0
            }, box, { unsafe releaseBox($0) })
    }

    /// The time since the machine started, on a clock that is never set.
    public static var now: Duration {
        .microseconds(g_get_monotonic_time())
    }

    private static func milliseconds(_ duration: Duration) -> UInt32 {
        let (seconds, attoseconds) = duration.components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        guard !overflow else { return .max }
        return UInt32(clamping: scaled + attoseconds / 1_000_000_000_000_000)
    }
}

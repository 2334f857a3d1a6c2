import CGio
import Notifications
import PluginKit
import Synchronization

/// Requests to the thread that owns the connection to the bus. Any thread may add one, which wakes
/// the owner.
@safe
final class BusMailbox: Sendable {
    /// A request.
    enum Request: Sendable {
        case show(ShownNotice)
        case withdraw(NoticeTag)
        case open(InboxSubject, token: String?)
    }

    /// The requests since the last look, and whether the end was requested.
    struct Content: Sendable {
        var requests: [Request] = []
        var isStopped = false
    }

    private let content = Mutex(Content())
    // GLib locks both: g_main_context_wakeup and g_cancellable_cancel may be called on any thread.
    nonisolated(unsafe) let context: OpaquePointer
    nonisolated(unsafe) let cancellable: UnsafeMutablePointer<GCancellable>

    init() {
        guard let context = unsafe g_main_context_new(),
            let cancellable = unsafe g_cancellable_new()
        else { preconditionFailure("GLib ends the process if there is no memory") }
        unsafe self.context = context
        unsafe self.cancellable = cancellable
    }

    deinit {
        unsafe g_object_unref(cancellable)
        unsafe g_main_context_unref(context)
    }

    func put(_ request: Request) {
        content.withLock { $0.requests.append(request) }
        unsafe g_main_context_wakeup(context)
    }

    /// Requests the end. A call that waits for the bus ends at once.
    func stop() {
        unsafe g_cancellable_cancel(cancellable)
        content.withLock { $0.isStopped = true }
        unsafe g_main_context_wakeup(context)
    }

    /// Permits calls to the bus again, for the last ones after a stop.
    func allowCalls() { unsafe g_cancellable_reset(cancellable) }

    /// Returns the requests since the last call. A stop request remains.
    func drain() -> Content {
        content.withLock { content in
            defer { content.requests = [] }
            return content
        }
    }
}

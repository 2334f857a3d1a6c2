public import Logging
public import Notifications
public import PluginKit
import Synchronization

/// The server of notices on the session bus (`org.freedesktop.Notifications`). It connects when
/// there is something to show, so a node without a desktop never does.
public final class BusNoticeServer: NoticeServer {
    /// The acts of the person on notices; see ``NoticeServer/events``.
    public let events: AsyncStream<NoticeEvent>

    private struct State {
        var phase = Phase.new
        var stopping: [CheckedContinuation<Void, Never>] = []
    }

    private enum Phase { case new, running, ended }

    private let mailbox = BusMailbox()
    private let thread: BusThread
    private let end: @Sendable () -> Void
    private let state = Mutex(State())

    /// Creates a server that is told something when there is something to show.
    /// - Parameters:
    ///   - application: the name of the window's program on the bus.
    ///   - entry: the id of the program's .desktop file, which is also that of its icon.
    ///   - environment: it names the session bus; without one nothing is shown.
    ///   - clock: it measures the pauses before another attempt.
    public init(
        application: String, entry: String, environment: [String: String], clock: any NodeClock,
        logger: Logger
    ) {
        let (stream, continuation) = AsyncStream.makeStream(of: NoticeEvent.self)
        events = stream
        end = { continuation.finish() }
        thread = BusThread(
            mailbox: mailbox, application: application, entry: entry, clock: clock,
            address: { SessionBus.address(environment) }, logger: logger,
            tell: { continuation.yield($0) })
    }

    deinit { mailbox.stop() }

    /// Shows a notice in place of the one with the same tag.
    public func show(_ notice: ShownNotice) { put(.show(notice)) }

    /// Removes a notice.
    public func withdraw(_ tag: NoticeTag) { put(.withdraw(tag)) }

    /// Opens the page of a subject in the window, by `org.freedesktop.Application.ActivateAction`.
    public func open(_ subject: InboxSubject, token: String?) {
        put(.open(subject, token: token))
    }

    /// Gives the thread a request. The first one starts it.
    private func put(_ request: BusMailbox.Request) {
        mailbox.put(request)
        let isFirst = state.withLock { state in
            guard state.phase == .new else { return false }
            state.phase = .running
            return true
        }
        guard isFirst else { return }
        // The thread does not retain this object, so that an unreferenced server ends.
        thread.start { [weak self, end] in
            end()
            self?.threadHasEnded()
        }
    }

    /// Removes all notices and waits until the thread has ended.
    public func stop() async {
        await withCheckedContinuation { waiter in
            let isRunning = state.withLock { state in
                guard state.phase == .running else {
                    state.phase = .ended
                    return false
                }
                state.stopping.append(waiter)
                return true
            }
            if isRunning { return mailbox.stop() }
            end()
            waiter.resume()
        }
    }

    private func threadHasEnded() {
        let waiters = state.withLock { state in
            state.phase = .ended
            defer { state.stopping = [] }
            return state.stopping
        }
        for waiter in waiters { waiter.resume() }
    }
}

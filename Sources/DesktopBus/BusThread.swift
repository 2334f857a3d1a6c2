import Foundation
import Logging
import Notifications
import PluginKit

/// The thread that owns the connection to the session bus and performs the steps of a
/// ``NoticeBoard``. It is a separate thread because it waits for the server's answers.
struct BusThread: Sendable {
    /// The longest time that is spent at the end on removing notices.
    static let farewell = Duration.seconds(1)

    let mailbox: BusMailbox
    let application: String
    let entry: String
    let clock: any NodeClock
    let address: @Sendable () -> String?
    let logger: Logger
    let tell: @Sendable (NoticeEvent) -> Void

    /// Starts the thread, which calls `ended` after everything was removed.
    func start(ended: @escaping @Sendable () -> Void) {
        let thread = Thread {
            run()
            ended()
        }
        thread.name = "desktop"
        thread.start()
    }

    private func run() {
        let connection = BusConnection(mailbox, entry: entry)
        var board = NoticeBoard()
        var tokens: [UInt32: String] = [:]
        while true {
            let content = mailbox.drain()
            for request in content.requests { accept(request, &board, connection) }
            guard !content.isStopped else { break }
            let now = clock.uptime
            let step = board.step(now: now)
            var pause: Duration? = .zero
            if case .wait(let longest) = step {
                pause = longest
            } else {
                perform(step, &board, connection, now)
            }
            for signal in connection.wait(upTo: pause) {
                receive(signal, &board, &tokens, now: clock.uptime)
            }
        }
        leave(&board, connection)
    }

    private func accept(
        _ request: BusMailbox.Request, _ board: inout NoticeBoard, _ connection: BusConnection
    ) {
        switch request {
        case .show(let notice): board.show(notice)
        case .withdraw(let tag): board.withdraw(tag)
        case .open(let subject, let token):
            connection.activate(
                WaggleNames.open, subject.description, of: application, token: token)
        }
    }

    private func perform(
        _ step: NoticeBoard.Step, _ board: inout NoticeBoard, _ connection: BusConnection,
        _ now: Duration
    ) {
        do throws(NoticeBoard.Fault) {
            switch step {
            case .connect:
                guard let address = address(), connection.connect(address) else {
                    throw .busAway
                }
                board.connected()
            case .greet:
                try connection.greet()
                board.greeted()
            case .show(let notice, let id):
                board.told(notice, id: try connection.show(notice, replacing: id))
            case .close(let id):
                try connection.close(id)
                board.closed(id: id)
            case .wait: break
            }
        } catch {
            logger.debug("the desktop was not told", metadata: ["why": "\(error)"])
            board.failed(step, error, now: now)
        }
    }

    private func receive(
        _ signal: BusConnection.Signal, _ board: inout NoticeBoard,
        _ tokens: inout [UInt32: String], now: Duration
    ) {
        switch signal {
        case .closed(let id):
            tokens[id] = nil
            if let tag = board.dismissed(id: id) { tell(.closed(tag)) }
        case .token(let id, let token):
            if board.tag(of: id) != nil { tokens[id] = token }
        case .invoked(let id, let action):
            guard let tag = board.tag(of: id) else { return }
            if let index = Int(action) {
                tell(.pressed(tag, action: index))
            } else {
                tell(.opened(tag, token: tokens.removeValue(forKey: id)))
            }
        case .server(let isThere): board.serverChanged(isThere: isThere, now: now)
        case .busLost: board.busWasLost()
        }
    }

    /// Removes all notices: their buttons would do nothing without the node.
    private func leave(_ board: inout NoticeBoard, _ connection: BusConnection) {
        guard board.isConnected else { return }
        board.clear()
        mailbox.allowCalls()
        let end = clock.uptime + Self.farewell
        while case .close(let id) = board.step(now: clock.uptime), clock.uptime < end {
            perform(.close(id), &board, connection, clock.uptime)
        }
    }
}

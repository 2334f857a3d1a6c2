import Foundation
import Logging

/// The thread that owns Avahi's pointers and performs the actions of an ``AvahiSession``. It is a
/// separate thread because the library's functions block on the bus.
///
/// The session and the connection are created on this thread and never leave it. Other threads
/// reach it only through the mailbox, and it reaches them only through the feed.
struct AvahiThread: Sendable {
    /// The interval at which the host's interfaces are read, and so the longest delay until a new
    /// one is used.
    static let tickPause = Duration.seconds(5)
    /// The pause after the library's event loop failed, which only a lack of memory explains.
    static let brokenPause = Duration.seconds(5)

    let mailbox: AvahiMailbox
    let feed: SightingFeed
    let patterns: InterfacePatterns
    let logger: Logger

    /// Starts the thread, which calls `ended` after everything was withdrawn.
    func start(announcing announcement: Announcement, ended: @escaping @Sendable () -> Void) {
        let thread = Thread {
            run(announcing: announcement)
            ended()
        }
        thread.name = "discovery"
        thread.start()
    }

    private func run(announcing first: Announcement) {
        var announcement = first
        while !mailbox.drain(into: &announcement) {
            if let connection = AvahiConnection(wakeDescriptor: mailbox.wakeDescriptor) {
                run(connection, announcing: &announcement)
            }
            if mailbox.drain(into: &announcement) { break }
            feed.set(.failed(reason: "out of memory"))
            Thread.sleep(forTimeInterval: Self.brokenPause / .seconds(1))
        }
    }

    /// Runs until a stop is requested or the event loop fails.
    private func run(_ connection: AvahiConnection, announcing announcement: inout Announcement) {
        var session = AvahiSession(announcing: announcement, leavingOut: patterns)
        let began = ContinuousClock.now
        var nextTick = Duration.zero
        while !mailbox.drain(into: &announcement) {
            let now = ContinuousClock.now - began
            perform(session.update(announcement, now: now), connection, &session, now)
            if min(nextTick, session.nextConnection) <= now {
                nextTick = now + Self.tickPause
                let interfaces = NetworkInterface.all()
                perform(session.tick(now: now, interfaces: interfaces), connection, &session, now)
            }
            show(session.state)
            let pause = min(nextTick, session.nextConnection) - now
            guard let signals = connection.wait(upTo: pause) else { break }
            let then = ContinuousClock.now - began
            for signal in signals {
                perform(session.receive(signal, now: then), connection, &session, then)
            }
        }
    }

    /// Performs the actions in order. A failure goes to the session, whose actions are performed
    /// last.
    private func perform(
        _ actions: [AvahiAction], _ connection: AvahiConnection, _ session: inout AvahiSession,
        _ now: Duration
    ) {
        var queue = actions[...]
        while let action = queue.popFirst() {
            do {
                try perform(action, connection)
            } catch {
                logger.debug("Avahi refused", metadata: ["reason": "\(error)"])
                queue += session.receive(action.failed(with: error), now: now)
            }
        }
    }

    private func perform(
        _ action: AvahiAction, _ connection: AvahiConnection
    ) throws(AvahiFault) {
        switch action {
        case .connect: try connection.connect()
        case .disconnect: connection.disconnect()
        case .announce(let announcement, let instance, let interface):
            try connection.announce(announcement, as: instance, interface: interface)
        case .updateText(let announcement, let instance, let interface):
            try connection.updateText(of: announcement, as: instance, interface: interface)
        case .withdraw(let interface): connection.withdraw(interface: interface)
        case .browse: try connection.browse()
        case .ask(let key): try connection.ask(key)
        case .stopAsking(let key): connection.stopAsking(key)
        case .show(let sighting, let instance): feed.set(sighting, for: instance)
        }
    }

    private func show(_ state: DiscoveryState) {
        guard feed.state != state else { return }
        logger.info("\(state.detail)")
        feed.set(state)
    }
}

extension AvahiMailbox {
    /// Stores the newest announcement, if there is a new one.
    /// - Returns: true if a stop was requested.
    fileprivate func drain(into announcement: inout Announcement) -> Bool {
        let content = drain()
        if let newest = content.announcement { announcement = newest }
        return content.isStopped
    }
}

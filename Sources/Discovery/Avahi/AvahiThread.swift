import Foundation
import Logging

/// The one thread that owns Avahi's pointers: it does what an ``AvahiSession`` decides. A thread of
/// its own, because the library waits for the bus inside of its functions.
///
/// The session and the connection are made on this thread and never leave it. Others reach it by
/// the mailbox alone, and it reaches others by the feed alone.
struct AvahiThread: Sendable {
    /// How often the interfaces of the host are looked at: a cable plugged in is used this soon.
    static let tickPause = Duration.seconds(5)
    /// The pause after the loop of the library broke, which only a lack of memory explains.
    static let brokenPauseSeconds = 5.0

    let mailbox: AvahiMailbox
    let feed: SightingFeed
    let patterns: InterfacePatterns
    let logger: Logger

    /// Starts the thread; `ended` is called on it when all was taken back.
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
        while !mailbox.take(into: &announcement) {
            if let connection = AvahiConnection(wakeDescriptor: mailbox.wakeDescriptor) {
                run(connection, announcing: &announcement)
            }
            if mailbox.take(into: &announcement) { break }
            feed.set(.failed(reason: "out of memory"))
            Thread.sleep(forTimeInterval: Self.brokenPauseSeconds)
        }
    }

    /// Runs until a stop is asked for or the loop breaks.
    private func run(_ connection: AvahiConnection, announcing announcement: inout Announcement) {
        var session = AvahiSession(announcing: announcement, leavingOut: patterns)
        let began = ContinuousClock.now
        var nextTick = Duration.zero
        while !mailbox.take(into: &announcement) {
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

    /// Does the actions in order; what fails goes back to the session, whose answer comes last.
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
    /// Takes the newest announcement, if there is a new one.
    /// - Returns: whether a stop was asked for.
    fileprivate func take(into announcement: inout Announcement) -> Bool {
        let content = take()
        if let newest = content.announcement { announcement = newest }
        return content.isStopped
    }
}

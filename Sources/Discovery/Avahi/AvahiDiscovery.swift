public import Logging
import Synchronization

/// Discovery by the Avahi daemon of this host, over the system bus (the environment variable
/// `DBUS_SYSTEM_BUS_ADDRESS` names another one). A daemon that is absent, stops or restarts is
/// waited for; ``DiscoveryState`` says how it stands.
public final class AvahiDiscovery: Discovery {
    private enum Phase {
        case new
        case running(AvahiMailbox)
        case stopped
    }

    private struct Content {
        var phase = Phase.new
        var threadEnded = false
        var stopping: [CheckedContinuation<Void, Never>] = []
    }

    /// What the daemon sees; see ``Discovery/events``.
    public let events: AsyncStream<DiscoveryEvent>

    private let feed = SightingFeed()
    private let patterns: InterfacePatterns
    private let logger: Logger
    private let content = Mutex(Content())

    /// - Parameter patterns: the interfaces on which nothing is announced and nobody is seen.
    public init(leavingOut patterns: InterfacePatterns = .usual, logger: Logger) {
        self.patterns = patterns
        self.logger = logger
        events = feed.events
    }

    deinit {
        if case .running(let mailbox) = content.withLock({ $0.phase }) { mailbox.stop() }
    }

    /// Starts the thread that speaks with the daemon; only the first call does.
    public func start(announcing announcement: Announcement) {
        let hasFailed = content.withLock { content in
            guard case .new = content.phase else { return false }
            guard let mailbox = AvahiMailbox() else { return true }
            content.phase = .running(mailbox)
            let thread = AvahiThread(
                mailbox: mailbox, feed: feed, patterns: patterns, logger: logger)
            // The thread keeps the feed alive, and not this object: a discovery that nobody holds
            // any more ends.
            thread.start(announcing: announcement) { [weak self, feed] in
                feed.set(.stopped)
                feed.finish()
                self?.threadHasEnded()
            }
            return false
        }
        if hasFailed { feed.set(.failed(reason: "this process has too many files open")) }
    }

    /// Hands the newest announcement to the thread; it waits for nothing.
    public func update(_ announcement: Announcement) {
        if case .running(let mailbox) = content.withLock({ $0.phase }) {
            mailbox.put(announcement)
        }
    }

    /// Takes the announcement back and waits until the thread has ended.
    public func stop() async {
        await withCheckedContinuation { waiter in
            let mailbox = content.withLock { content -> AvahiMailbox? in
                guard case .running(let mailbox) = content.phase, !content.threadEnded else {
                    content.phase = .stopped
                    return nil
                }
                content.stopping.append(waiter)
                return mailbox
            }
            if let mailbox { return mailbox.stop() }
            // Readers and waiters are resumed with no lock held, here as below.
            feed.set(.stopped)
            feed.finish()
            waiter.resume()
        }
    }

    private func threadHasEnded() {
        let waiters = content.withLock { content in
            content.threadEnded = true
            defer { content.stopping = [] }
            return content.stopping
        }
        for waiter in waiters { waiter.resume() }
    }
}

public import Logging
import Synchronization

/// Discovery by the Avahi daemon of this host over the system bus; the environment variable
/// `DBUS_SYSTEM_BUS_ADDRESS` selects another bus. If the daemon is absent, stops or restarts,
/// discovery waits for it; ``DiscoveryState`` reports this.
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

    /// The sightings of the daemon; see ``Discovery/events``.
    public let events: AsyncStream<DiscoveryEvent>

    private let feed = SightingFeed()
    private let patterns: InterfacePatterns
    private let logger: Logger
    private let content = Mutex(Content())

    /// Creates discovery that is not started yet.
    /// - Parameter patterns: the interfaces that are excluded from announcing and finding.
    public init(leavingOut patterns: InterfacePatterns = .usual, logger: Logger) {
        self.patterns = patterns
        self.logger = logger
        events = feed.events
    }

    deinit {
        if case .running(let mailbox) = content.withLock({ $0.phase }) { mailbox.stop() }
    }

    /// Starts the thread that communicates with the daemon. Further calls have no effect.
    public func start(announcing announcement: Announcement) {
        let hasFailed = content.withLock { content in
            guard case .new = content.phase else { return false }
            guard let mailbox = AvahiMailbox() else { return true }
            content.phase = .running(mailbox)
            let thread = AvahiThread(
                mailbox: mailbox, feed: feed, patterns: patterns, logger: logger)
            // The thread retains the feed and not this object, so that an unreferenced discovery
            // ends.
            thread.start(announcing: announcement) { [weak self, feed] in
                feed.set(.stopped)
                feed.finish()
                self?.threadHasEnded()
            }
            return false
        }
        if hasFailed { feed.set(.failed(reason: "this process has too many files open")) }
    }

    /// Passes the newest announcement to the thread without waiting.
    public func update(_ announcement: Announcement) {
        if case .running(let mailbox) = content.withLock({ $0.phase }) {
            mailbox.put(announcement)
        }
    }

    /// Withdraws the announcement and waits until the thread has ended.
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
            // Readers and waiters are resumed without holding the lock, here as below.
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

import Links
import NIOCore

/// The admission of connections, so that a flood of them costs a bounded amount of memory.
struct AcceptGate {
    private let limits: LinkLimits
    private var strangersCount = 0
    private var strangersByHost: [String: Int] = [:]
    private var windowEnd: NIODeadline?
    private var acceptedInWindow: [String: Int] = [:]

    init(limits: LinkLimits) {
        self.limits = limits
    }

    /// Whether a connection from `host` is admitted. If so, ``settle(from:)`` must be called once
    /// later.
    mutating func admit(from host: String, now: NIODeadline) -> Bool {
        openWindow(now: now)
        let accepted = acceptedInWindow[host, default: 0]
        let strangers = strangersByHost[host, default: 0]
        guard strangersCount < limits.strangersMax, strangers < limits.strangersPerAddressMax,
            accepted < limits.acceptsPerSecondMax
        else { return false }
        acceptedInWindow[host] = accepted + 1
        strangersByHost[host] = strangers + 1
        strangersCount += 1
        return true
    }

    /// Records that an admitted connection from `host` is no stranger any more, or has ended.
    mutating func settle(from host: String) {
        guard let strangers = strangersByHost[host] else { return }
        // A host without strangers is removed, so that an address costs memory only while it
        // connects.
        strangersByHost[host] = strangers > 1 ? strangers - 1 : nil
        strangersCount -= 1
    }

    private mutating func openWindow(now: NIODeadline) {
        if let windowEnd, now < windowEnd { return }
        windowEnd = now + .seconds(1)
        acceptedInWindow = [:]
    }
}

import NIOCore

/// Says which connections are let in, so that a flood of them costs a bounded amount of memory.
struct AcceptGate {
    private let limits: LinkLimits
    private var strangers = 0
    private var windowEnd: NIODeadline?
    private var acceptedInWindow: [String: Int] = [:]

    init(limits: LinkLimits) {
        self.limits = limits
    }

    /// Whether a connection from `host` may go on; if so, ``settle()`` follows exactly once.
    mutating func admit(from host: String, now: NIODeadline) -> Bool {
        openWindow(now: now)
        let accepted = acceptedInWindow[host, default: 0]
        guard strangers < limits.strangersMax, accepted < limits.acceptsPerSecondMax else {
            return false
        }
        acceptedInWindow[host] = accepted + 1
        strangers += 1
        return true
    }

    /// One connection that was let in is a stranger no more, or has ended.
    mutating func settle() {
        strangers -= 1
    }

    private mutating func openWindow(now: NIODeadline) {
        if let windowEnd, now < windowEnd { return }
        windowEnd = now + .seconds(1)
        acceptedInWindow = [:]
    }
}

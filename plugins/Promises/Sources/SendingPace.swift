internal import PluginKit

/// How often a position is sent: at most once in five seconds, when it moved by five metres or
/// half a minute has passed.
struct SendingPace: Sendable {
    private var last: (point: Point, uptime: Duration)?
    /// Whether somebody came who has not been sent the last position.
    private var isOwed = false

    /// Whether this point is to be sent now; if so it counts as sent.
    mutating func sends(_ point: Point, uptime: Duration) -> Bool {
        guard isDue(point, uptime) else { return false }
        last = (point, uptime)
        isOwed = false
        return true
    }

    /// Somebody who does not know the last position is in reach now.
    mutating func someoneCame() { isOwed = true }

    private func isDue(_ point: Point, _ uptime: Duration) -> Bool {
        guard let last else { return true }
        let waited = uptime - last.uptime
        guard waited >= PromiseLimits.sendIntervalMin else { return false }
        return isOwed || waited >= PromiseLimits.sendIntervalMax
            || last.point.distanceMetres(to: point) >= PromiseLimits.sendMetresMin
    }
}

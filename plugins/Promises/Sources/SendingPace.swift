internal import PluginKit

/// How often a position is sent: at most once in five seconds, when it moved by five metres or
/// half a minute has passed.
struct SendingPace: Sendable {
    private var last: (point: Point, uptime: Duration)?
    /// Whether somebody came who has not been sent the last position.
    private var isOwed = false

    /// Whether this point is to be sent now; if so it counts as sent.
    mutating func sends(_ point: Point, uptime: Duration) -> Bool {
        guard due(point).map({ uptime >= $0 }) ?? true else { return false }
        last = (point, uptime)
        isOwed = false
        return true
    }

    /// Somebody who does not know the last position is in reach now.
    mutating func someoneCame() { isOwed = true }

    /// When this point is to be sent, on the uptime clock; nil where none was before.
    func due(_ point: Point) -> Duration? {
        guard let last else { return nil }
        let isSoon =
            isOwed || last.point.distanceMetres(to: point) >= PromiseLimits.sendMetresMin
        return last.uptime
            + (isSoon ? PromiseLimits.sendIntervalMin : PromiseLimits.sendIntervalMax)
    }
}

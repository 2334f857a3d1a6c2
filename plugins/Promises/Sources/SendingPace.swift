internal import PluginKit

/// The pace at which a location is sent: at most once in five seconds, if it moved by five metres
/// or half a minute has passed.
struct SendingPace: Sendable {
    private var last: (point: Point, uptime: Duration)?
    /// Whether a peer came into reach that was not sent the last location.
    private var isOwed = false

    /// Whether this point is to be sent now; if so, it counts as sent.
    mutating func sends(_ point: Point, uptime: Duration) -> Bool {
        guard due(point).map({ uptime >= $0 }) ?? true else { return false }
        last = (point, uptime)
        isOwed = false
        return true
    }

    /// Records that a peer is in reach that does not know the last location.
    mutating func recordNewPeer() { isOwed = true }

    /// Returns the uptime at which this point is to be sent; nil if none was sent before.
    func due(_ point: Point) -> Duration? {
        guard let last else { return nil }
        let isSoon =
            isOwed || last.point.distanceMetres(to: point) >= PromiseLimits.sendMetresMin
        return last.uptime
            + (isSoon ? PromiseLimits.sendIntervalMin : PromiseLimits.sendIntervalMax)
    }
}

internal import PluginKit

/// When something is due by the clocks alone, so that nobody looks at them for nothing.
extension Promises {
    /// How long followers wait to be told that people move, and a step that failed to be tried
    /// again.
    static let tellInterval = Duration.seconds(1)
    /// The longest nobody looks at the wall clock while something is promised: it may be set.
    static let wallInterval = Duration.seconds(10)
    /// The longest nobody does while nothing is: only a clock put back makes something be on again.
    static let restInterval = Duration.seconds(60)

    /// How long nothing happens by the clocks alone.
    var untilDue: Duration {
        let (uptime, nowMs) = (context.clock.uptime, nowMs)
        var waits = [current.isEmpty ? Self.restInterval : Self.wallInterval]
        for promise in current {
            waits += promise.momentsMs.filter { $0 > nowMs }.map { .milliseconds($0 - nowMs) }
            if let wait = untilSent(in: promise) { waits.append(wait) }
        }
        if let tellDue { waits.append(tellDue - uptime) }
        waits += ageings.filter { $0 > uptime }.map { $0 - uptime }
        return max(.zero, waits.min() ?? Self.wallInterval)
    }

    /// When positions become too old, on the uptime clock.
    private var ageings: [Duration] {
        var fixes = positions.values.flatMap { $0.values.map(\.fixUptime) }
        if let mine = whereabouts.fixUptime, !current.isEmpty { fixes.append(mine) }
        // One that is exactly so old is fresh yet.
        return fixes.map { $0 + PromiseLimits.freshMax + .milliseconds(1) }
    }

    /// How long until my position is to be sent again; nil where nobody is to see it.
    private func untilSent(in promise: Promise) -> Duration? {
        guard sharingState(of: promise) == .sharing, let fix = whereabouts.fix else { return nil }
        // A departure or an arrival is being stored, or could not be.
        guard !declaring.contains(promise.id), promise.person(context.me)?.departedMs != nil,
            !Approach(from: nil, at: fix.point, to: promise.point).hasArrived
        else { return Self.tellInterval }
        return paces[promise.id]?.due(fix.point).map { $0 - context.clock.uptime }
            ?? Self.tellInterval
    }
}

internal import PluginKit
internal import PromisesAPI

/// The times at which something is due by the clocks alone, so that the clocks are read no more
/// often than needed.
extension Promises {
    /// The delay before followers are told that people moved, and before a failed step is retried.
    static let tellInterval = Duration.seconds(1)
    /// The longest time between reads of the wall clock while there are promises: it may be set.
    static let wallInterval = Duration.seconds(10)
    /// The same while there are none: only a clock that is set back makes a promise current again.
    static let restInterval = Duration.seconds(60)

    /// The time until something is due by the clocks alone.
    var untilDue: Duration {
        let (uptime, now) = (context.clock.uptime, now)
        var waits = [current.isEmpty ? Self.restInterval : Self.wallInterval]
        for promise in current {
            let agreed = promise.person(context.me)?.consent.agreed
            let moments = promise.moments + (agreed.map { [$0 + PromiseLimits.past] } ?? [])
            waits += moments.filter { $0 > now }.map { $0 - now }
            if let wait = untilSent(in: promise) { waits.append(wait) }
        }
        if let tellDue { waits.append(tellDue - uptime) }
        waits += ageings.filter { $0 > uptime }.map { $0 - uptime }
        return max(.zero, waits.min() ?? Self.wallInterval)
    }

    /// The uptimes at which locations become too old.
    private var ageings: [Duration] {
        var fixes = locations.values.flatMap { $0.values.map(\.fixUptime) }
        if let mine = whereabouts.fixUptime, !current.isEmpty { fixes.append(mine) }
        // A location of exactly that age is still fresh.
        return fixes.map { $0 + PromiseLimits.freshMax + .milliseconds(1) }
    }

    /// Returns the time until my location is to be sent again; nil if it is not shared.
    private func untilSent(in promise: Promise) -> Duration? {
        guard sharingState(of: promise) == .sharing, let fix = whereabouts.fix else { return nil }
        // A departure or an arrival is being stored, or its storing failed.
        guard !declaring.contains(promise.id), promise.person(context.me)?.departed != nil,
            !Approach(from: nil, at: fix.point, to: promise.point).hasArrived
        else { return Self.tellInterval }
        return paces[promise.id]?.due(fix.point).map { $0 - context.clock.uptime }
            ?? Self.tellInterval
    }
}

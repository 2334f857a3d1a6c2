internal import Foundation
internal import PluginKit
internal import WalkLogAPI

/// The weeks and months of this device's time zone.
enum WalkCalendar {
    /// A kind of span.
    enum Unit {
        /// From Monday to Sunday.
        case week
        /// From the first day of a month to its last.
        case month
    }

    /// Returns the beginnings of the last spans and the end of the present one, earliest first.
    static func bounds(
        of unit: Unit, count: Int, until now: Timestamp, in zone: TimeZone = .autoupdatingCurrent
    ) -> [Timestamp] {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = zone
        let component: Calendar.Component = unit == .week ? .weekOfYear : .month
        guard let present = calendar.dateInterval(of: component, for: Date(now)) else { return [] }
        let begins = (0..<count).reversed().compactMap { back in
            calendar.date(byAdding: component, value: -back, to: present.start)
        }
        return (begins + [present.end]).map { Timestamp($0) }
    }

    /// Adds up walks by the spans in which they began. The last bound is the end of the last span.
    static func totals(of walks: [StoredWalk], between bounds: [Timestamp]) -> [WalkTotals.Span] {
        zip(bounds, bounds.dropFirst()).map { from, end in
            let within = walks.filter { (from..<max(from, end)).contains($0.started) }
            return WalkTotals.Span(
                startedMs: from, walksCount: within.count,
                distanceMetres: within.reduce(0) { $0 + $1.distanceMetres },
                elapsedSeconds: within.reduce(0) { $0 + $1.elapsed.wholeSeconds },
                kilocalories: within.reduce(0) { $0 + min($1.kilocalories, 1_000_000) })
        }
    }
}

extension WalkLog {
    /// Performs `walk-log totals`.
    func totals() async throws -> WalkTotals {
        let now = context.clock.wallTime
        let count = WalkTotals.spansCount
        let weeks = WalkCalendar.bounds(of: .week, count: count, until: now)
        let months = WalkCalendar.bounds(of: .month, count: count, until: now)
        let first = min(weeks.first ?? now, months.first ?? now)
        let walks = try await context.replica.rows(
            "SELECT * FROM walklog_walk WHERE started_ms >= ?", [.integer(first.milliseconds)]
        ).compactMap(StoredWalk.init)
        return WalkTotals(
            weeks: WalkCalendar.totals(of: walks, between: weeks),
            months: WalkCalendar.totals(of: walks, between: months))
    }
}

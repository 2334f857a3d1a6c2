import Foundation
import PluginKit
import Testing
import WalkLogAPI

@testable import WalkLog

@Suite struct WalkCalendarTests {
    private let seoul: TimeZone

    init() throws { seoul = try #require(TimeZone(identifier: "Asia/Seoul")) }

    private func time(_ text: String) throws -> Timestamp {
        Timestamp(
            milliseconds: Int64(
                try Date.ISO8601FormatStyle().parse(text).timeIntervalSince1970 * 1000))
    }

    @Test func `a week begins on Monday and a month on its first day, in the zone of the device`()
        throws
    {
        // Monday, 1 September 2025, 00:30 in Seoul.
        let now = try time("2025-08-31T15:30:00Z")
        #expect(
            try WalkCalendar.bounds(of: .week, count: 2, until: now, in: seoul)
                == [
                    time("2025-08-24T15:00:00Z"), time("2025-08-31T15:00:00Z"),
                    time("2025-09-07T15:00:00Z"),
                ])
        #expect(
            try WalkCalendar.bounds(of: .month, count: 3, until: now, in: seoul)
                == [
                    time("2025-06-30T15:00:00Z"), time("2025-07-31T15:00:00Z"),
                    time("2025-08-31T15:00:00Z"), time("2025-09-30T15:00:00Z"),
                ])
    }

    @Test func `a walk counts in the span in which it began`() throws {
        let bounds = [0, 100, 200].map { Timestamp(milliseconds: $0) }
        let walks = try [99, 100, 199, 200].map { started in
            try #require(
                StoredWalk(
                    Row([
                        "entity": .bytes([UInt8](repeating: 1, count: 16)),
                        "started_ms": .integer(started), "distance_m": .real(1000),
                        "elapsed_ms": .integer(60_000), "kilocalories": .integer(5),
                    ])))
        }
        let totals = WalkCalendar.totals(of: walks, between: bounds)
        #expect(totals.map(\.walksCount.value) == [1, 2])
        #expect(totals.map(\.distanceMetres.value) == [1000, 2000])
        #expect(totals.map(\.elapsedSeconds.value) == [60, 120])
        #expect(totals.map(\.kilocalories.value) == [5, 10])
    }
}

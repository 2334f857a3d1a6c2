import Foundation
import Testing

@testable import Promises

/// Which promises are today's.
@Suite struct PromiseDayTests {
    @Test func `a day begins and ends where the device is`() throws {
        let seoul = try #require(TimeZone(identifier: "Asia/Seoul"))
        // 2026-05-01 00:30 in Seoul, where in Greenwich it is still the day before.
        let halfPastMs: Int64 = 1_777_563_000_000
        let day = PromiseDay.range(containing: halfPastMs, in: seoul)
        #expect(day == 1_777_561_200_000..<1_777_647_600_000)
        #expect(!PromiseDay.range(containing: day.lowerBound - 1, in: seoul).contains(halfPastMs))
    }

    @Test func `a day on which the clocks are put forward has 23 hours`() throws {
        let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
        let day = PromiseDay.range(containing: 1_774_746_000_000, in: berlin)
        #expect(day.upperBound - day.lowerBound == 23 * 3_600_000)
    }
}

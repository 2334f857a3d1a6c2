import Foundation
import PluginKit
import Testing

@testable import Promises

/// The days to which promises belong.
@Suite struct PromiseDayTests {
    @Test func `a day begins and ends in the time zone of the device`() throws {
        let seoul = try #require(TimeZone(identifier: "Asia/Seoul"))
        // 2026-05-01 00:30 in Seoul, which is still the day before in Greenwich.
        let halfPast = Timestamp(milliseconds: 1_777_563_000_000)
        let day = PromiseDay.range(containing: halfPast, in: seoul)
        #expect(day.lowerBound.milliseconds == 1_777_561_200_000)
        #expect(day.upperBound.milliseconds == 1_777_647_600_000)
        #expect(
            !PromiseDay.range(containing: day.lowerBound - .milliseconds(1), in: seoul).contains(
                halfPast))
    }

    @Test func `a day on which the clocks are put forward has 23 hours`() throws {
        let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
        let day = PromiseDay.range(
            containing: Timestamp(milliseconds: 1_774_746_000_000), in: berlin)
        #expect(day.upperBound - day.lowerBound == .seconds(23 * 3600))
    }
}

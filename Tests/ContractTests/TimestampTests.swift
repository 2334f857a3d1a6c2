import Contract
import Foundation
import Testing

/// Arithmetic with moments and durations.
@Suite struct TimestampTests {
    @Test func `a moment plus a duration is later, and their difference is the duration`() {
        let moment = Timestamp(milliseconds: 1000)
        #expect(moment + .milliseconds(5) == Timestamp(milliseconds: 1005))
        #expect(moment - .milliseconds(5) == Timestamp(milliseconds: 995))
        #expect(moment + .milliseconds(-5) == Timestamp(milliseconds: 995))
        #expect((moment + .milliseconds(5)) - moment == .milliseconds(5))
        #expect(moment - (moment + .milliseconds(5)) == .milliseconds(-5))
        #expect(moment + .microseconds(1999) == Timestamp(milliseconds: 1001))
    }

    @Test func `a moment out of range becomes the nearest within it, without a trap`() {
        let (first, last) = (
            Timestamp(milliseconds: 0), Timestamp(milliseconds: Timestamp.millisecondsMax)
        )
        let extremes = [Duration.seconds(Int64.max), .seconds(Int64.min)]
        for moment in [first, last] {
            #expect(moment + extremes[0] == last)
            #expect(moment - extremes[0] == first)
            #expect(moment + extremes[1] == first)
            #expect(moment - extremes[1] == last)
        }
        #expect(first - .milliseconds(1) == first)
        #expect(last + .milliseconds(1) == last)
    }

    @Test func `milliseconds of a duration are whole, and fractions are dropped`() {
        #expect(Duration.microseconds(1999).milliseconds == 1)
        #expect(Duration.microseconds(-1999).milliseconds == -1)
        #expect(Duration.seconds(-3).milliseconds == -3000)
    }

    @Test func `a number is a moment from 1970 to the latest moment, not beyond`() {
        #expect(Timestamp(exactly: 0) == .min)
        #expect(Timestamp(exactly: -1) == nil)
        #expect(Timestamp(exactly: UInt64(Timestamp.millisecondsMax)) == .max)
        #expect(Timestamp(exactly: UInt64(Timestamp.millisecondsMax) + 1) == nil)
        #expect(Timestamp(exactly: UInt64.max) == nil)
    }

    @Test func `a countdown shows 0 s only when the time is up`() {
        #expect(Duration.seconds(2).secondsRoundedUp == 2)
        #expect(Duration.milliseconds(2001).secondsRoundedUp == 3)
        #expect(Duration.nanoseconds(1).secondsRoundedUp == 1)
        #expect(Duration.zero.secondsRoundedUp == 0)
    }

    @Test(arguments: [0, 1, 1_795_417_200_001, Timestamp.millisecondsMax])
    func `a moment becomes a date and the date becomes the same moment`(milliseconds: Int64) {
        let moment = Timestamp(milliseconds: milliseconds)
        #expect(Timestamp(Date(moment)) == moment)
        #expect(Timestamp(exactly: Date(moment)) == moment)
    }

    @Test func `a date is rounded to a millisecond`() {
        #expect(Timestamp(Date(timeIntervalSince1970: 1.0006)) == Timestamp(milliseconds: 1001))
        #expect(Timestamp(Date(timeIntervalSince1970: 1.0004)) == Timestamp(milliseconds: 1000))
    }

    @Test func `a date out of range becomes the nearest moment, or none if it must be exact`() {
        let before = Date(timeIntervalSince1970: -1)
        let after = Date(timeIntervalSince1970: 1e300)
        #expect(Timestamp(before) == .min)
        #expect(Timestamp(after) == .max)
        #expect(Timestamp(exactly: before) == nil)
        #expect(Timestamp(exactly: after) == nil)
    }
}

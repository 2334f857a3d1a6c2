import Records
import TestSupport
import Testing

@Suite struct StampTests {
    private let day: Int64 = 24 * 60 * 60 * 1000

    @Test func `a counter that overflows moves to the next millisecond`() throws {
        var clock = HybridClock(latest: try #require(Stamp(rawValue: 5 << 16 | 0xffff)))
        let stamp = try clock.tick(wallTime: Timestamp(milliseconds: 5))
        #expect(stamp.time.milliseconds == 6)
        #expect(stamp.counter == 0)
    }

    @Test func `2⁶³ − 1 is a stamp and 2⁶³ is not`() {
        #expect(Stamp(rawValue: 1 << 63 - 1) == .max)
        #expect(Stamp(rawValue: 1 << 63) == nil)
    }

    @Test func `times outside the range are clamped to its ends`() {
        #expect(Stamp(Timestamp(milliseconds: -1)).rawValue == 0)
        #expect(Stamp(Timestamp(milliseconds: .min)).rawValue == 0)
        #expect(Stamp(Timestamp(milliseconds: .max)).time == .max)
        #expect(Stamp(Timestamp(milliseconds: 1 << 47)).time == .max)
    }

    @Test func `every tick is later than the one before, even if the wall clock jumps`() throws {
        var generator = SeededGenerator(seed: 21)
        var clock = HybridClock()
        var last = clock.latest
        for _ in 0..<10_000 {
            let stamp = try clock.tick(
                wallTime: Timestamp(milliseconds: Int64(generator.number(-1000...1000))))
            #expect(stamp > last)
            last = stamp
        }
    }

    @Test func `a clock follows the stamps it saw, so that the next edit wins`() throws {
        var clock = HybridClock()
        let seen = Stamp(Timestamp(milliseconds: 1_000_000))
        clock.follow(seen, wallTime: Timestamp(milliseconds: 1000))
        #expect(try clock.tick(wallTime: Timestamp(milliseconds: 1000)) > seen)
    }

    @Test func `a clock never goes back to an earlier stamp`() {
        var clock = HybridClock(latest: Stamp(Timestamp(milliseconds: 50)))
        clock.follow(Stamp(Timestamp(milliseconds: 40)), wallTime: Timestamp(milliseconds: 60))
        #expect(clock.latest.time.milliseconds == 50)
    }

    @Test func `a stamp 24 h ahead is followed and one a millisecond later is held`() throws {
        let atLimit = Stamp(Timestamp(milliseconds: 1000 + day))
        let over = Stamp(Timestamp(milliseconds: 1000 + day + 1))
        #expect(!HybridClock.isHeld(atLimit, wallTime: Timestamp(milliseconds: 1000)))
        #expect(HybridClock.isHeld(over, wallTime: Timestamp(milliseconds: 1000)))
        var clock = HybridClock()
        clock.follow(over, wallTime: Timestamp(milliseconds: 1000))
        #expect(clock.latest.rawValue == 0)
        clock.follow(atLimit, wallTime: Timestamp(milliseconds: 1000))
        #expect(clock.latest == atLimit)
    }

    @Test func `a held stamp is due when the wall clock is within 24 h of it`() {
        let stamp = Stamp(Timestamp(milliseconds: 10 * day))
        #expect(HybridClock.isHeld(stamp, wallTime: Timestamp(milliseconds: 9 * day - 1)))
        #expect(!HybridClock.isHeld(stamp, wallTime: Timestamp(milliseconds: 9 * day)))
    }

    @Test func `wall clocks at the ends of their range hold or release a batch without a trap`() {
        #expect(HybridClock.isHeld(.max, wallTime: .min))
        #expect(!HybridClock.isHeld(.max, wallTime: .max))
    }

    @Test func `the last stamp is issued once, then the clock reports its end`() throws {
        var clock = HybridClock(latest: try #require(Stamp(rawValue: 1 << 63 - 2)))
        #expect(try clock.tick(wallTime: .min) == .max)
        #expect(throws: RecordFault.clockExhausted) { try clock.tick(wallTime: .min) }
    }
}

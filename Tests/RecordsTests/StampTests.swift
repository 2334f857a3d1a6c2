import Records
import Testing

@Suite struct StampTests {
    @Test func `the counter borrows the next millisecond when it overflows`() throws {
        var clock = HybridClock(latest: try #require(Stamp(rawValue: 5 << 16 | 0xffff)))
        let stamp = try clock.tick(wallMilliseconds: 5)
        #expect(stamp.milliseconds == 6)
        #expect(stamp.counter == 0)
    }
}

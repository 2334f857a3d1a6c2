import PluginKit
import TestSupport
import Testing

@Suite struct AlarmTests {
    @Test func `a wait ends when its time has passed`() async throws {
        let (clock, alarm) = (VirtualClock(), Alarm())
        clock.runnerBegan()
        async let waiting: Void = alarm.wait(for: .seconds(10), on: clock)
        await clock.untilIdle()
        clock.advance(by: .seconds(10))
        try await waiting
        #expect(clock.uptime == .seconds(10))
    }

    @Test func `a ring ends a wait at once, and the next wait is not affected`() async throws {
        let (clock, alarm) = (VirtualClock(), Alarm())
        clock.runnerBegan()
        async let waiting: Void = alarm.wait(for: .seconds(10), on: clock)
        await clock.untilIdle()
        alarm.ring()
        try await waiting
        #expect(clock.uptime == .zero)
        async let again: Void = alarm.wait(for: .seconds(5), on: clock)
        await clock.untilIdle()
        clock.advance(by: .seconds(5))
        try await again
    }

    @Test func `a ring while no task waits ends the next wait`() async throws {
        let (clock, alarm) = (VirtualClock(), Alarm())
        alarm.ring()
        try await alarm.wait(for: .seconds(10), on: clock)
        #expect(clock.uptime == .zero && clock.sleepCount == 0)
    }

    @Test func `a wait whose task is cancelled throws`() async throws {
        let (clock, alarm) = (VirtualClock(), Alarm())
        clock.runnerBegan()
        let waiting = Task { try await alarm.wait(for: .seconds(10), on: clock) }
        await clock.untilIdle()
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }
}

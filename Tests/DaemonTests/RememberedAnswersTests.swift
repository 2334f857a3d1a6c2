import ControlAPI
import ControlClient
import PluginKit
import Synchronization
import Testing

@testable import Daemon

struct RememberedAnswersTests {
    private let clock = StillClock()

    private func id(_ number: Int) throws -> ActionID {
        try #require(ActionID("request-number-\(1000 + number)"))
    }

    private func name(_ name: String) throws -> Arguments {
        try Arguments(checking: ["name": .string(name)], against: FakeService.add)
    }

    @Test func `a request that is sent again gets the first answer and is performed once`()
        async throws
    {
        let answers = RememberedAnswers(clock: clock)
        let count = Counter()
        for _ in 0..<3 {
            let answer = try await answers.answer(try id(1), FakeService.add, try name("Rex")) {
                .integer(count.next())
            }
            #expect(answer == 1)
        }
    }

    @Test func `a refusal is remembered like an answer`() async throws {
        let answers = RememberedAnswers(clock: clock)
        let count = Counter()
        for _ in 0..<2 {
            await #expect(throws: CommandFault.refused("no")) {
                _ = try await answers.answer(try id(1), FakeService.add, try name("Rex")) {
                    _ = count.next()
                    throw CommandFault.refused("no")
                }
            }
        }
        #expect(count.next() == 2)
    }

    @Test func `the id of another request is a conflict`() async throws {
        let answers = RememberedAnswers(clock: clock)
        _ = try await answers.answer(try id(1), FakeService.add, try name("Rex")) { true }
        await #expect(throws: CommandFault.self) {
            _ = try await answers.answer(try id(1), FakeService.add, try name("Max")) { true }
        }
    }

    @Test func `the oldest answers are forgotten beyond the limit`() async throws {
        let answers = RememberedAnswers(clock: clock)
        for number in 0...APILimits.requestsRememberedMax {
            _ = try await answers.answer(try id(number), FakeService.add, try name("Rex")) { true }
        }
        #expect(await answers.count == APILimits.requestsRememberedMax)
        let count = Counter()
        _ = try await answers.answer(try id(0), FakeService.add, try name("Rex")) {
            .integer(count.next())
        }
        #expect(count.next() == 2)
    }

    @Test func `an answer is forgotten after its time`() async throws {
        let answers = RememberedAnswers(clock: clock)
        _ = try await answers.answer(try id(1), FakeService.add, try name("Rex")) { 1 }
        clock.move(APILimits.requestsRememberedFor)
        #expect(
            try await answers.answer(try id(1), FakeService.add, try name("Rex")) { 2 } == 1)
        clock.move(.milliseconds(1))
        #expect(
            try await answers.answer(try id(1), FakeService.add, try name("Rex")) { 2 } == 2)
    }

    @Test func `the local API performs an action with an id once`() async throws {
        try await LocalAPIFixture().serving { client in
            var random = SystemRandomNumberGenerator()
            let id = ActionID(using: &random)
            let first = try await client.perform(
                FakeService.add, try self.name("Rex"), id: id)
            let again = try await client.perform(FakeService.add, try self.name("Rex"), id: id)
            #expect(again == first)
            await #expect(throws: CommandFault.self) {
                _ = try await client.perform(FakeService.add, try self.name("Max"), id: id)
            }
        }
    }
}

/// Counts from 1.
private final class Counter: Sendable {
    private let count = Mutex<Int64>(0)

    func next() -> Int64 {
        count.withLock { count in
            count += 1
            return count
        }
    }
}

/// A clock that a test moves.
private final class StillClock: NodeClock {
    private let moved = Mutex(Duration.zero)

    var wallTime: Timestamp { .min }
    var uptime: Duration { moved.withLock { $0 } }
    func sleep(for duration: Duration) async throws {}
    func move(_ duration: Duration) { moved.withLock { $0 += duration } }
}

import ControlAPI
import ControlClient
import PluginKit
import Synchronization
import Testing

@testable import Daemon

struct LocalAPIEventTests {
    private static let walk = NodeEvent(topic: "walk", payload: ["id": "w1"])
    private static let mates = NodeEvent(topic: "mates", payload: [:])

    @Test func `two listeners receive the same events from when they subscribed`() async throws {
        let fixture = try LocalAPIFixture()
        try await fixture.serving { client in
            var first = client.events().makeAsyncIterator()
            try await expect(.opened, from: &first)
            fixture.service.publish(Self.walk)
            try await expect(Self.walk, from: &first)
            var second = client.events().makeAsyncIterator()
            try await expect(.opened, from: &second)
            fixture.service.publish(Self.mates)
            try await expect(Self.mates, from: &first)
            try await expect(Self.mates, from: &second)
        }
    }

    @Test func `a listener receives only the topics it named`() async throws {
        let fixture = try LocalAPIFixture()
        try await fixture.serving { client in
            var events = client.events(topics: ["mates", "inbox"]).makeAsyncIterator()
            try await expect(.opened, from: &events)
            fixture.service.publish(Self.walk)
            fixture.service.publish(Self.mates)
            try await expect(Self.mates, from: &events)
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `a listener is told that the node stops`() async throws {
        let fixture = try LocalAPIFixture()
        let listening = Mutex<Task<Void, any Error>?>(nil)
        try await fixture.serving { client in
            let (opened, isOpened) = AsyncStream.makeStream(of: Void.self)
            let task = Task {
                for try await event in client.events() where event == .opened { isOpened.finish() }
            }
            listening.withLock { $0 = task }
            for await _ in opened {}
        }
        let task = try #require(listening.withLock { $0 })
        await #expect(throws: NodeUnreachable.self) { try await task.value }
    }

    @Test(.timeLimit(.minutes(1)))
    func `a listener that reads nothing does not delay the shutdown`() async throws {
        let fixture = try LocalAPIFixture()
        let socket = Mutex<RawSocket?>(nil)
        try await fixture.serving { client in
            let silent = try #require(RawSocket(fixture.socketPath))
            silent.send("GET /v1/events HTTP/1.1\r\nHost: x\r\n\r\n")
            socket.withLock { $0 = silent }
            var events = client.events().makeAsyncIterator()
            try await expect(.opened, from: &events)
            let large = NodeEvent(
                topic: "walk", payload: ["text": .string(String(repeating: "x", count: 20_000))])
            for _ in 0..<200 { fixture.service.publish(large) }
            _ = try await events.next()
        }
        withExtendedLifetime(socket.withLock { $0 }) {}
    }

    @Test func `a comment is sent while there are no events`() async throws {
        let service = FakeService()
        let clock = TickClock()
        let (texts, written) = AsyncStream.makeStream(of: String.self)
        let stream = EventStream(events: await service.events(), topics: [], clock: clock)
        try await withThrowingTaskGroup { tasks in
            tasks.addTask {
                try await stream.write {
                    written.yield($0)
                } cut: {
                }
            }
            var read = texts.makeAsyncIterator()
            #expect(await read.next() == NodeEvent.opened.serverSentText)
            var asked = clock.asked.stream.makeAsyncIterator()
            #expect(await asked.next() == .seconds(15))
            clock.tick()
            #expect(await read.next() == NodeEvent.heartbeatText)
            service.endEvents()
            try await tasks.waitForAll()
        }
    }

    @Test func `a slow listener keeps the newest events and is told how many it lost`() async {
        let backlog = EventBacklog(limit: 3)
        for number in Int64(1)...3 { backlog.add(.event(event(number))) }
        #expect(backlog.removeLostCount() == 0)
        for number in Int64(4)...5 { backlog.add(.event(event(number))) }
        #expect(backlog.removeLostCount() == 2)
        #expect(backlog.removeLostCount() == 0)
        backlog.finish()
        var left: [NodeEvent] = []
        for await case .event(let event) in backlog.entries { left.append(event) }
        #expect(left == [event(3), event(4), event(5)])
    }

    @Test func `a dropped heartbeat does not count as a loss`() {
        let backlog = EventBacklog(limit: 1)
        backlog.add(.heartbeat)
        backlog.add(.event(event(1)))
        #expect(backlog.removeLostCount() == 0)
        backlog.add(.heartbeat)
        #expect(backlog.removeLostCount() == 1)
    }

    private func expect(
        _ expected: NodeEvent, from events: inout AsyncThrowingStream<NodeEvent, any Error>.Iterator
    ) async throws {
        let event = try await events.next(isolation: #isolation)
        #expect(event == expected)
    }

    private func event(_ number: Int64) -> NodeEvent {
        NodeEvent(topic: "walk", payload: ["number": .integer(number)])
    }
}

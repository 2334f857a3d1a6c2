@testable import Discovery
import Testing

struct SightingFeedTests {
    private let feed = SightingFeed()

    private func sighting(_ name: String, port: UInt16 = 1) throws -> Sighting {
        Sighting(
            instance: name, announcement: nil, endpoints: [try #require(Endpoint("h:\(port)"))])
    }

    @Test func `a waiting reader receives each event`() async throws {
        var events = feed.events.makeAsyncIterator()
        #expect(await events.next() == .stateChanged(.starting))
        let (first, second) = (try sighting("a"), try sighting("a", port: 2))
        feed.set(first, for: "a")
        #expect(await events.next() == .appeared(first))
        feed.set(second, for: "a")
        #expect(await events.next() == .changed(second))
        feed.set(nil, for: "a")
        #expect(await events.next() == .disappeared(instance: "a"))
    }

    @Test func `a slow reader receives only the final state`() async throws {
        var events = feed.events.makeAsyncIterator()
        feed.set(try sighting("short"), for: "short")
        let stays = try sighting("stays", port: 9)
        for port in 1...9 { feed.set(try sighting("stays", port: UInt16(port)), for: "stays") }
        feed.set(nil, for: "short")
        feed.set(.noBus)
        feed.set(.noDaemon)
        #expect(await events.next() == .stateChanged(.noDaemon))
        #expect(await events.next() == .appeared(stays))
        feed.finish()
        #expect(await events.next() == nil)
    }

    @Test func `an unread departure and return is a change, or nothing if it is equal`()
        async throws
    {
        var events = feed.events.makeAsyncIterator()
        _ = await events.next()
        feed.set(try sighting("a"), for: "a")
        feed.set(try sighting("b"), for: "b")
        _ = await events.next()
        _ = await events.next()
        let other = try sighting("b", port: 5)
        for name in ["a", "b"] { feed.set(nil, for: name) }
        feed.set(try sighting("a"), for: "a")
        feed.set(other, for: "b")
        #expect(await events.next() == .changed(other))
    }

    @Test func `cancelling the reader ends the events`() async {
        let reader = Task { [feed] in
            var count = 0
            for await _ in feed.events { count += 1 }
            return count
        }
        reader.cancel()
        #expect(await reader.value <= 1)
    }

    @Test(.timeLimit(.minutes(1)))
    func `a reader cancelled while events arrive ends in any order of events`() async throws {
        let sightings = try (1...50).map { try sighting("a", port: UInt16($0)) }
        for _ in 1...300 {
            let feed = SightingFeed()
            let (waiting, isWaiting) = AsyncStream.makeStream(of: Void.self)
            let reader = Task {
                for await _ in feed.events { isWaiting.finish() }
            }
            for await _ in waiting {}
            await withTaskGroup { tasks in
                tasks.addTask {
                    for sighting in sightings { feed.set(sighting, for: "a") }
                }
                tasks.addTask { reader.cancel() }
            }
            await reader.value
        }
    }
}

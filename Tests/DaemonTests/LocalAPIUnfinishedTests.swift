import ControlAPI
import ControlClient
import Foundation
import PluginKit
import Synchronization
import Testing

@testable import Daemon

/// Clients that begin something and do not finish it.
struct LocalAPIUnfinishedTests {
    private static let opening =
        "POST /v1/dog/add HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"

    private func readToEnd(_ socket: RawSocket) async -> String {
        // The socket's calls block, so they get their own thread.
        await withCheckedContinuation { answer in
            Thread.detachNewThread { answer.resume(returning: socket.readToEnd()) }
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `a body that never ends does not delay the shutdown`() async throws {
        let fixture = try LocalAPIFixture()
        let socket = Mutex<RawSocket?>(nil)
        let log = WarningLog()
        try await fixture.serving(logger: log.logger) { _ in
            let silent = try #require(RawSocket(fixture.socketPath))
            silent.send(Self.opening)
            socket.withLock { $0 = silent }
            // When the node asks the clock for the time limit of the body, it has begun to read the
            // body.
            var asked = fixture.clock.asked.stream.makeAsyncIterator()
            #expect(await asked.next() == BodyReader.timeMax)
        }
        let silent = try #require(socket.withLock { $0 })
        #expect(await readToEnd(silent).contains(#""code":"notRunning""#))
        #expect(log.warnings == [])
    }

    @Test(.timeLimit(.minutes(1)))
    func `a body that takes too long is answered and its connection closed`() async throws {
        let fixture = try LocalAPIFixture()
        try await fixture.serving { client in
            let silent = try #require(RawSocket(fixture.socketPath))
            silent.send(Self.opening)
            for await _ in fixture.clock.asked.stream { break }
            fixture.clock.tick()
            let answer = await readToEnd(silent)
            #expect(answer.hasPrefix("HTTP/1.1 400"))
            #expect(answer.contains(#""code":"usage""#))
            #expect(answer.contains("within 10 s"))
            try await client.addDog("Rex")
        }
    }

    @Test func `a malformed chunk of a body is the client's mistake and logs no warning`()
        async throws
    {
        let log = WarningLog()
        let fixture = try LocalAPIFixture()
        try await fixture.serving(logger: log.logger) { client in
            let answer = await fixture.exchange(
                "POST /v1/dog/add HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n3\r\n{\"n\r\nnonsense\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 400"))
            #expect(answer.contains(#""code":"usage""#))
            try await client.addDog("Rex")
        }
        #expect(log.warnings == [])
    }

    @Test func `a client that hangs up within its body causes no failure`() async throws {
        let log = WarningLog()
        let fixture = try LocalAPIFixture()
        try await fixture.serving(logger: log.logger) { client in
            do {
                let leaving = try #require(RawSocket(fixture.socketPath))
                leaving.send(Self.opening)
                for await _ in fixture.clock.asked.stream { break }
            }
            try await client.addDog("Rex")
        }
        #expect(log.warnings == [])
    }

    @Test(.timeLimit(.minutes(1)))
    func `the last event stream under the limit opens, the next is refused with a reason`()
        async throws
    {
        let fixture = try LocalAPIFixture()
        try await fixture.serving { client in
            var listeners: [RawSocket] = []
            for _ in 0..<APILimits.eventStreamsMax {
                let listener = try #require(RawSocket(fixture.socketPath))
                listener.send("GET /v1/events HTTP/1.1\r\nHost: x\r\n\r\n")
                #expect(listener.readSome().hasPrefix("HTTP/1.1 200"))
                listeners.append(listener)
            }
            let answer = await fixture.request("GET", "/v1/events")
            #expect(answer.hasPrefix("HTTP/1.1 503"))
            #expect(answer.contains("64 programs already listen"))
            try await client.addDog("Rex")
            withExtendedLifetime(listeners) {}
        }
    }

    @Test func `a place that is released is free again`() {
        let places = StreamSlots(limit: 2)
        let first = places.reserve()
        var second = places.reserve()
        #expect(first != nil && second != nil && places.reserve() == nil)
        second = nil
        #expect(places.reserve() != nil)
        withExtendedLifetime(first) {}
    }
}

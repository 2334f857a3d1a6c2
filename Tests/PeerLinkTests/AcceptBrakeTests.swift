import NIOCore
import NIOEmbedded
import Testing

@testable import PeerLink

/// Tests that accepted connections do not pile up while their event loop is busy.
struct AcceptBrakeTests {
    /// A listening channel with a brake; each connection has an event loop of its own, which runs
    /// only when the test says so.
    private final class Listener {
        let channel = EmbeddedChannel()
        private(set) var waiting: [EmbeddedChannel] = []
        private let reads = Reads()

        init(unattendedMax: Int) throws {
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(reads)
            try pipeline.addHandler(AcceptBrake(unattendedMax: unattendedMax))
        }

        /// Accepts one connection if the brake allows it.
        func accept() throws -> Bool {
            let before = reads.count
            channel.read()
            guard reads.count > before else { return false }
            let connection = EmbeddedChannel()
            waiting.append(connection)
            try channel.writeInbound(connection as any Channel)
            return true
        }

        /// Lets the event loop of the oldest connection run.
        func attendOne() {
            waiting.removeFirst().embeddedEventLoop.run()
            channel.embeddedEventLoop.run()
        }

        /// The reads that reached the socket.
        var readsCount: Int { reads.count }
    }

    /// The socket's end of the pipeline, which counts reads.
    private final class Reads: ChannelOutboundHandler {
        typealias OutboundIn = Never
        private(set) var count = 0

        func read(context: ChannelHandlerContext) {
            count += 1
        }
    }

    @Test func `as many connections wait for their event loop as the limit says, and no more`()
        throws
    {
        let listener = try Listener(unattendedMax: 3)
        for _ in 1...3 { #expect(try listener.accept()) }
        #expect(try !listener.accept())
        #expect(try !listener.accept())
        #expect(listener.waiting.count == 3)
    }

    @Test func `a connection that its event loop has begun with makes room for another`() throws {
        let listener = try Listener(unattendedMax: 2)
        for _ in 1...2 { #expect(try listener.accept()) }
        #expect(try !listener.accept())
        let before = listener.readsCount
        listener.attendOne()
        #expect(listener.readsCount == before + 1, "the read that was held back goes on")
        listener.attendOne()
        #expect(listener.readsCount == before + 1, "it goes on once")
        for _ in 1...2 { #expect(try listener.accept()) }
        #expect(try !listener.accept())
    }
}

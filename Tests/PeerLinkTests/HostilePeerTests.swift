import Links
import NIOCore
import NIOPosix
import NIOSSL
import Records
import Testing

@testable import PeerLink

/// Tests peers that break the rules, over real sockets with shortened deadlines.
@Suite(.timeLimit(.minutes(1))) struct HostilePeerTests {
    private let ann = TestDevice()
    private let mallory = TestDevice()

    private func times(_ shorten: (inout LinkTimes) -> Void) -> LinkTimes {
        var times = LinkTimes()
        shorten(&times)
        return times
    }

    /// Makes a device with its listener, and links Mallory's device, which then does as it likes.
    private func attack(
        times: LinkTimes = LinkTimes(), acceptsHello: Bool = true,
        _ act: (any Channel) async throws -> Void
    ) async throws -> LinkFault {
        let listener = try await ann.endpoint(times: times).listen(host: "127.0.0.1", port: 0)
        let channel = try await RawPeer.dial(listener.port, as: mallory)
        let link = try await listener.next()
        if acceptsHello { try await link.openWithoutHello() }
        try await act(channel)
        let fault = await link.closed
        try await channel.closeFuture.get()
        await listener.close()
        return fault
    }

    @Test(arguments: OverlongHeader.allBeforeHello)
    func `a frame over the limit closes the link on its header`(
        header: OverlongHeader
    ) async throws {
        let fault = try await attack(acceptsHello: false) { try await $0.send(header.bytes) }
        #expect(fault == .frameTooLong(bytes: header.length, limit: Limits.helloFrameBytesMax))
    }

    @Test func `a frame of length zero closes the link`() async throws {
        #expect(try await attack { try await $0.send([0, 0, 0, 0]) } == .frameEmpty)
    }

    @Test func `a HELLO that drips in is not waited for`() async throws {
        let times = times { $0.hello = .milliseconds(200) }
        let fault = try await attack(times: times, acceptsHello: false) { channel in
            RawPeer.drip([0, 0, 1, 0], into: channel, every: .milliseconds(20))
        }
        #expect(fault == .helloTooSlow)
    }

    @Test func `a frame that drips in is not waited for`() async throws {
        let times = times { $0.frame = .milliseconds(200) }
        let fault = try await attack(times: times) { channel in
            RawPeer.drip([0, 0, 1, 0], into: channel, every: .milliseconds(20))
        }
        #expect(fault == .frameTooSlow)
    }

    @Test func `a silent peer is disconnected`() async throws {
        let times = times { $0.silence = .milliseconds(200) }
        #expect(try await attack(times: times) { _ in } == .silent)
    }

    @Test func `a peer that closes the connection within a frame is gone and nothing is read`()
        async throws
    {
        let fault = try await attack { channel in
            try await channel.send([0, 0, 0, 9, 1, 2])
            try await channel.close().get()
        }
        #expect(fault == .closed)
    }

    @Test func `of very many frames before the end of a connection the first reach the reader`()
        async throws
    {
        let listener = try await ann.endpoint().listen(host: "127.0.0.1", port: 0)
        let channel = try await RawPeer.dial(listener.port, as: mallory)
        let link = try await listener.next()
        try await link.openWithoutHello()
        // These fit into the system's buffers, so that the end of the connection follows at once.
        let frames = [[UInt8]](repeating: [0, 0, 0, 1, 7], count: 12_000)
        try await channel.send(Array(frames.joined()))
        // This closes the socket below TLS, without its goodbye.
        try await channel.eventLoop.submit {
            try channel.pipeline.syncOperations.context(handlerType: NIOSSLClientHandler.self)
                .close(promise: nil)
        }.get()
        _ = await link.closed
        var count = 0
        for await _ in link.frames { count += 1 }
        #expect((1...1000).contains(count))
        await listener.close()
    }

    @Test func `a stranger whose handshake drips in is cut off`() async throws {
        let times = times { $0.handshake = .milliseconds(200) }
        let listener = try await ann.endpoint(times: times).listen(host: "127.0.0.1", port: 0)
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: Int(listener.port)).get()
        // A TLS record of 16 KiB that contains the start of a ClientHello.
        RawPeer.drip([22, 3, 1, 0x40, 0, 1, 0, 0x3F], into: channel, every: .milliseconds(20))
        try await channel.closeFuture.get()
        await listener.close()
    }

    @Test func `a peer that never reads makes the sender wait and is then disconnected`()
        async throws
    {
        var limits = LinkLimits()
        limits.queuedBytesMax = 64 * 1024
        let times = times { $0.write = .milliseconds(300) }
        let endpoint = try ann.endpoint(times: times, limits: limits)
        let listener = try await endpoint.listen(host: "127.0.0.1", port: 0)
        let channel = try await RawPeer.dial(listener.port, as: mallory)
        let link = try await listener.next()
        try await link.openWithoutHello()
        try await channel.setOption(.autoRead, value: false).get()

        let frame = Frame(type: 1, payload: [UInt8](repeating: 1, count: 200_000))
        let fault = await #expect(throws: LinkFault.self) {
            while true { try await link.send(frame) }
        }
        #expect(fault == .writeTooSlow)
        #expect(await link.closed == .writeTooSlow)
        try? await channel.close().get()
        await listener.close()
    }

    @Test func `a sender waits for a slow reader and loses nothing`() async throws {
        let pair = try await LinkedPair(dialler: ann.endpoint(), acceptor: mallory.endpoint())
        let frame = Frame(type: 1, payload: [UInt8](repeating: 1, count: 250_000))
        let count = 120
        let sender = Task { () async throws -> Int in
            for _ in 0..<count { try await pair.dialled.send(frame) }
            return count
        }
        var frames = pair.accepted.frames.makeAsyncIterator()
        var received = 0
        while received < count, await frames.next() == frame {
            received += 1
            for _ in 0..<50 { await Task.yield() }
        }
        #expect(received == count)
        #expect(try await sender.value == count)
        await pair.close()
    }

    @Test func `a cancelled send ends and the link stays open`() async throws {
        var limits = LinkLimits()
        limits.queuedBytesMax = 64 * 1024
        let listener = try await ann.endpoint(limits: limits).listen(host: "127.0.0.1", port: 0)
        let channel = try await RawPeer.dial(listener.port, as: mallory)
        let link = try await listener.next()
        try await link.openWithoutHello()
        try await channel.setOption(.autoRead, value: false).get()
        let frame = Frame(type: 1, payload: [UInt8](repeating: 1, count: 200_000))
        let sender = Task {
            while true { try await link.send(frame) }
        }
        sender.cancel()
        await #expect(throws: LinkFault.cancelled) { try await sender.value }
        try await channel.setOption(.autoRead, value: true).get()
        try await link.send(Frame(type: 2, payload: []))
        link.close(because: .closed)
        #expect(await link.closed == .closed)
        await listener.close()
    }

    @Test func `a connection over the limit takes the place of the oldest stranger`()
        async throws
    {
        var limits = LinkLimits()
        limits.strangersMax = 2
        let listener = try await ann.endpoint(limits: limits).listen(host: "127.0.0.1", port: 0)
        let bob = try mallory.endpoint()
        var dialled: [Link] = []
        var accepted: [Link] = []
        for _ in 0..<3 {
            dialled.append(try await bob.dial(listener.address, expecting: nil))
            accepted.append(try await listener.next())
        }
        #expect(await accepted[0].closed == .crowdedOut)
        _ = await dialled[0].closed

        // The others are no strangers any more, so there is room for two more.
        for link in accepted[1...] { try await link.openWithoutHello() }
        for _ in 0..<2 {
            dialled.append(try await bob.dial(listener.address, expecting: nil))
            accepted.append(try await listener.next())
        }
        for link in dialled[1...] + accepted[1...] { link.close(because: .closed) }
        for link in accepted[1...] { #expect(await link.closed == .closed) }
        await listener.close()
    }
}

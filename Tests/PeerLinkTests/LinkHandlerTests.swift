import Links
import NIOCore
import NIOEmbedded
import NIOSSL
import NIOTLS
import Records
import Testing

@testable import PeerLink

/// A socket that accepts nothing while it is full.
private final class FullSocket: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer

    var isFull = false
    private(set) var writesCount = 0

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        writesCount += 1
        context.write(data, promise: promise)
    }

    func flush(context: ChannelHandlerContext) {
        if !isFull { context.flush() }
    }
}

/// The handlers of a link without TLS and socket, in virtual time.
private struct EmbeddedLink {
    let channel = EmbeddedChannel()
    let socket = FullSocket()
    let handler: LinkHandler
    let established: EventLoopFuture<Link>
    let peer = TestDevice()

    init(times: LinkTimes = LinkTimes(), limits: LinkLimits = LinkLimits()) throws {
        let own = try TestDevice().endpoint().device
        let promise = channel.eventLoop.makePromise(of: Link.self)
        established = promise.futureResult
        handler = LinkHandler(
            role: LinkRole(isDialler: false, check: PeerCheck(own: own, expected: nil)),
            times: times, limits: limits, established: promise)
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(socket)
        try pipeline.addHandler(WriteStallHandler(limit: times.write))
        try pipeline.addHandler(handler)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    /// Completes TLS and returns the link.
    func finishHandshake() throws -> Link {
        #expect(handler.verify([try peer.certificate().certificate]) == .certificateVerified)
        channel.pipeline.fireUserInboundEventTriggered(
            TLSUserEvent.handshakeCompleted(negotiatedProtocol: nil))
        return try established.wait()
    }

    /// Completes TLS and accepts HELLO.
    func open() throws -> Link {
        let link = try finishHandshake()
        handler.acceptHello(isKnown: false)
        return link
    }

    func receive(_ bytes: [UInt8]) {
        channel.pipeline.fireChannelRead(ByteBuffer(bytes: bytes))
        channel.pipeline.fireChannelReadComplete()
    }

    func wait(_ time: TimeAmount) {
        channel.embeddedEventLoop.advanceTime(by: time)
    }

    /// The reason the link has ended, or nil while it is open.
    var fault: LinkFault? {
        if case .ended(let fault) = handler.phase { fault } else { nil }
    }

    /// Ends the link and closes the channel.
    func finish() throws {
        handler.end(.closed)
        channel.embeddedEventLoop.run()
        _ = try channel.finish(acceptAlreadyClosed: true)
        _ = try handler.closed.futureResult.wait()
    }
}

@Suite struct LinkHandlerTests {
    /// Returns the bytes of this number of frames without payload.
    private func frames(_ count: Int) -> [UInt8] {
        (0..<count).flatMap { [0, 0, 0, 1, UInt8(truncatingIfNeeded: $0)] }
    }

    @Test func `a handshake must be finished in 5 seconds`() throws {
        let slow = try EmbeddedLink()
        slow.wait(.milliseconds(4999))
        #expect(slow.fault == nil)
        slow.wait(.milliseconds(1))
        #expect(slow.fault == .handshakeTooSlow)
        #expect(!slow.channel.isActive)
        #expect(throws: LinkFault.handshakeTooSlow) {
            try slow.established.wait()
        }
        try slow.finish()
    }

    @Test func `HELLO must be accepted in 5 seconds, even if bytes arrive`() throws {
        let slow = try EmbeddedLink()
        let link = try slow.finishHandshake()
        slow.wait(.milliseconds(4000))
        slow.receive([0, 0])
        slow.wait(.milliseconds(999))
        #expect(slow.fault == nil)
        slow.wait(.milliseconds(1))
        #expect(slow.fault == .helloTooSlow)
        withExtendedLifetime(link) {}
        try slow.finish()
    }

    @Test func `nothing of an ended link stays in memory`() throws {
        weak var handler: LinkHandler?
        weak var link: Link?
        func use() throws -> EmbeddedEventLoop {
            let one = try EmbeddedLink()
            let opened = try one.open()
            one.receive(frames(3))
            (handler, link) = (one.handler, opened)
            #expect(handler != nil && link != nil)
            try one.finish()
            return one.channel.embeddedEventLoop
        }
        try use().run()
        #expect(handler == nil)
        #expect(link == nil)
    }

    @Test func `a link whose HELLO was accepted outlives the deadline of HELLO`() throws {
        let open = try EmbeddedLink()
        let link = try open.open()
        open.wait(.seconds(6))
        #expect(open.fault == nil)
        withExtendedLifetime(link) {}
        try open.finish()
    }

    @Test func `a frame that drips in must be complete in 30 seconds`() throws {
        let dripping = try EmbeddedLink()
        let link = try dripping.open()
        dripping.receive([0, 0, 1, 0])
        for _ in 0..<29 {
            dripping.wait(.seconds(1))
            dripping.receive([9])
        }
        dripping.wait(.milliseconds(999))
        #expect(dripping.fault == nil)
        dripping.wait(.milliseconds(1))
        #expect(dripping.fault == .frameTooSlow)
        withExtendedLifetime(link) {}
        try dripping.finish()
    }

    @Test func `each frame has its own 30 seconds`() throws {
        let steady = try EmbeddedLink()
        let link = try steady.open()
        steady.receive([0, 0])
        steady.wait(.seconds(29))
        steady.receive([0, 1, 7, 0, 0])
        steady.wait(.seconds(29))
        #expect(steady.fault == nil)
        steady.receive([0, 1, 7])
        steady.wait(.seconds(31))
        #expect(steady.fault == nil)
        withExtendedLifetime(link) {}
        try steady.finish()
    }

    @Test func `a peer with many small frames leaves the event loop to others between turns`()
        throws
    {
        var limits = LinkLimits()
        // A reader that is never behind.
        limits.unreadFramesMax = 1_000_000
        let greedy = try EmbeddedLink(limits: limits)
        let link = try greedy.open()
        greedy.receive(frames(10 * LinkLimits.turnFramesMax))
        for _ in 1..<10 {
            #expect(greedy.handler.allocatedBytes > 0)
            greedy.wait(.milliseconds(1))
        }
        #expect(greedy.handler.allocatedBytes == 0)
        withExtendedLifetime(link) {}
        try greedy.finish()
    }

    @Test func `45 seconds without a byte end a link`() throws {
        let quiet = try EmbeddedLink()
        let link = try quiet.open()
        quiet.channel.read()
        quiet.receive(frames(1))
        quiet.channel.read()
        quiet.wait(.milliseconds(44_999))
        #expect(quiet.fault == nil)
        quiet.wait(.milliseconds(1))
        #expect(quiet.fault == .silent)
        withExtendedLifetime(link) {}
        try quiet.finish()
    }

    @Test func `a peer is not blamed for silence while this side does not read`() throws {
        let waiting = try EmbeddedLink()
        let link = try waiting.open()
        waiting.receive(frames(LinkLimits().unreadFramesMax))
        waiting.channel.read()
        waiting.wait(.seconds(500))
        #expect(waiting.fault == nil)
        waiting.handler.readerWantsMore()
        waiting.wait(.seconds(45))
        #expect(waiting.fault == .silent)
        withExtendedLifetime(link) {}
        try waiting.finish()
    }

    @Test(arguments: OverlongHeader.allAfterHello)
    func `a length over the limit closes the link with nothing allocated`(
        header: OverlongHeader
    ) throws {
        let hostile = try EmbeddedLink()
        let link = try hostile.open()
        hostile.receive(header.bytes)
        #expect(hostile.fault == .frameTooLong(bytes: header.length, limit: Limits.frameBytesMax))
        #expect(hostile.handler.allocatedBytes == 0)
        #expect(!hostile.channel.isActive)
        withExtendedLifetime(link) {}
        try hostile.finish()
    }

    @Test func `before HELLO was accepted the smaller limit applies to the byte`() throws {
        let limit = Limits.helloFrameBytesMax
        for (length, fault) in [
            (limit, nil), (limit + 1, LinkFault.frameTooLong(bytes: limit + 1, limit: limit)),
        ] {
            let stranger = try EmbeddedLink()
            let link = try stranger.finishHandshake()
            stranger.receive([0, 0, UInt8(length >> 8), UInt8(length & 0xFF)])
            #expect(stranger.fault == fault)
            withExtendedLifetime(link) {}
            try stranger.finish()
        }
    }

    @Test func `a frame of length zero closes the link`() throws {
        let hostile = try EmbeddedLink()
        let link = try hostile.open()
        hostile.receive([0, 0, 0, 0])
        #expect(hostile.fault == .frameEmpty)
        withExtendedLifetime(link) {}
        try hostile.finish()
    }

    /// Sends frames of this many bytes, one after the other, until one has to wait.
    /// - Returns: how many were queued.
    private func fill(_ full: EmbeddedLink, frameBytes: Int) -> Int {
        let payload = [UInt8](
            repeating: 7, count: frameBytes - Frame(type: 0, payload: []).wireBytes)
        var queuedCount = 0
        while true {
            var isQueued = false
            full.handler.send([Frame(type: 1, payload: payload)], SendTicket()) { _ in
                isQueued = true
            }
            guard isQueued else { return queuedCount }
            queuedCount += 1
        }
    }

    @Test(arguments: [22, 1000, 250_000])
    func `sends wait once the limit's bytes are queued for the peer`(frameBytes: Int) throws {
        let full = try EmbeddedLink()
        let link = try full.open()
        full.socket.isFull = true
        let limit = LinkLimits().queuedBytesMax
        let expectedCount = (limit + frameBytes - 1) / frameBytes
        #expect(fill(full, frameBytes: frameBytes) == expectedCount)
        withExtendedLifetime(link) {}
        try full.finish()
    }

    @Test func `frames that wait for the socket are joined to few writes`() throws {
        let full = try EmbeddedLink()
        let link = try full.open()
        full.socket.isFull = true
        let queuedCount = fill(full, frameBytes: 22)
        full.socket.isFull = false
        full.channel.flush()
        var bytes = 0
        while let write = try full.channel.readOutbound(as: ByteBuffer.self) {
            bytes += write.readableBytes
        }
        // The one that had to wait has left too.
        #expect(bytes == (queuedCount + 1) * 22)
        // 47 663 frames. A long write reaches the socket in pieces of 16 KiB.
        #expect(full.socket.writesCount < 100)
        withExtendedLifetime(link) {}
        try full.finish()
    }

    @Test func `sends that waited go out in order`() throws {
        var limits = LinkLimits()
        limits.queuedBytesMax = 5
        let full = try EmbeddedLink(limits: limits)
        let link = try full.open()
        full.socket.isFull = true
        var sent: [Int] = []
        for number in 0..<4 {
            let frame = Frame(type: UInt8(number), payload: [])
            full.handler.send([frame], SendTicket()) { _ in sent.append(number) }
        }
        #expect(sent == [0])
        #expect(try full.channel.readOutbound(as: ByteBuffer.self) == nil)
        full.socket.isFull = false
        full.channel.flush()
        #expect(sent == [0, 1, 2, 3])
        for number: UInt8 in 0..<4 {
            #expect(
                try full.channel.readOutbound(as: ByteBuffer.self)
                    == ByteBuffer(bytes: [0, 0, 0, 1, number]))
        }
        withExtendedLifetime(link) {}
        try full.finish()
    }

    @Test func `frames that were queued leave before an orderly end, and no others`() throws {
        for (fault, count) in [(LinkFault.replaced, 3), (.silent, 0)] {
            let full = try EmbeddedLink()
            let link = try full.open()
            full.socket.isFull = true
            for number: UInt8 in 0..<3 {
                full.handler.send([Frame(type: number, payload: [])], SendTicket()) { _ in }
            }
            full.socket.isFull = false
            full.handler.end(fault)
            var bytes = 0
            while let write = try full.channel.readOutbound(as: ByteBuffer.self) {
                bytes += write.readableBytes
            }
            #expect(bytes == count * 5)
            withExtendedLifetime(link) {}
            try full.finish()
        }
    }

    @Test func `a cancelled sender returns at once and the others are served`() throws {
        var limits = LinkLimits()
        limits.queuedBytesMax = 5
        let full = try EmbeddedLink(limits: limits)
        let link = try full.open()
        full.socket.isFull = true
        _ = fill(full, frameBytes: 5)
        var outcomes: [String: Result<Void, LinkFault>] = [:]
        let ticket = SendTicket()
        full.handler.send([Frame(type: 1, payload: [])], SendTicket()) { outcomes["first"] = $0 }
        full.handler.send([Frame(type: 2, payload: [])], ticket) { outcomes["second"] = $0 }
        ticket.withdraw()
        full.handler.dropWithdrawnSenders()
        #expect(throws: LinkFault.cancelled) { try outcomes["second"]?.get() }
        #expect(outcomes["first"] == nil)
        full.handler.end(.replaced)
        #expect(throws: LinkFault.replaced) { try outcomes["first"]?.get() }
        withExtendedLifetime(link) {}
        try full.finish()
    }

    @Test func `30 seconds without sent data end a link`() throws {
        let stuck = try EmbeddedLink()
        let link = try stuck.open()
        // Bytes that were written but not flushed wait like bytes that a socket does not accept.
        stuck.channel.pipeline.write(ByteBuffer(repeating: 0, count: 100), promise: nil)
        stuck.wait(.milliseconds(29_999))
        #expect(stuck.fault == nil)
        stuck.wait(.milliseconds(1))
        #expect(stuck.fault == .writeTooSlow)
        withExtendedLifetime(link) {}
        try stuck.finish()
    }

    @Test func `data sent in time does not count as a stall`() throws {
        var times = LinkTimes()
        times.silence = .seconds(3600)
        let brisk = try EmbeddedLink(times: times)
        let link = try brisk.open()
        brisk.channel.pipeline.write(ByteBuffer(repeating: 0, count: 100), promise: nil)
        brisk.wait(.seconds(29))
        brisk.channel.pipeline.flush()
        brisk.channel.pipeline.write(ByteBuffer(repeating: 0, count: 100), promise: nil)
        brisk.wait(.seconds(29))
        #expect(brisk.fault == nil)
        withExtendedLifetime(link) {}
        try brisk.finish()
    }
}

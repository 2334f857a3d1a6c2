import Links
import NIOCore
import NIOSSL
import NIOTLS
import Records

/// The top of a link's pipeline: takes a link through its phases, each with its absolute deadline,
/// hands frames to the reader and takes frames from senders.
final class LinkHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    /// How far a link has come.
    enum Phase {
        /// TLS is not done.
        case handshake
        /// TLS is done; the peer has yet to say HELLO, or its owner to accept it.
        case hello
        /// HELLO was accepted.
        case open
        /// The link has ended for this reason.
        case ended(LinkFault)
    }

    let times: LinkTimes
    let limits: LinkLimits
    let role: LinkRole
    /// The link, once TLS is done, or why it was not made.
    let established: EventLoopPromise<Link>
    /// Why the link ended, once its socket is closed. Never fails.
    let closed: EventLoopPromise<LinkFault>
    /// Called once: the peer is no stranger any more, or gone.
    var settled: (() -> Void)?

    private(set) var phase = Phase.handshake
    private var context: ChannelHandlerContext?
    private var remote: DeviceID?
    private var refusal: LinkFault?
    private var deadline = Deadline()

    private var inlet = FrameInlet()
    private var frameDeadline = Deadline()
    private var readWaits = false

    private var sendQueue = SendQueue()
    private var isDraining = false

    init(
        role: LinkRole, times: LinkTimes, limits: LinkLimits, eventLoop: any EventLoop,
        settled: (() -> Void)? = nil
    ) {
        self.role = role
        self.times = times
        self.limits = limits
        self.settled = settled
        established = eventLoop.makePromise()
        closed = eventLoop.makePromise()
    }

    /// What is allocated for a frame that is not whole yet, in bytes.
    var allocatedBytes: Int { inlet.allocatedBytes }
}

// MARK: - Phases

extension LinkHandler {
    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        if context.channel.isActive { startHandshake(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        startHandshake(context)
        context.fireChannelActive()
    }

    private func startHandshake(_ context: ChannelHandlerContext) {
        deadline.start(times.handshake, on: context.eventLoop) { self.end(.handshakeTooSlow) }
    }

    /// Asked by TLS with the other side's certificate, before the peer has proved to hold its key.
    /// A refusal is kept for ``errorCaught(context:error:)``: inside TLS nothing may be closed.
    func judge(_ chain: [NIOSSLCertificate]) -> NIOSSLVerificationResult {
        do throws(LinkFault) {
            remote = try role.check.device(of: chain)
            return .certificateVerified
        } catch {
            refusal = error
            return .failed
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted? = event as? TLSUserEvent { handshakeDone(context) }
        context.fireUserInboundEventTriggered(event)
    }

    private func handshakeDone(_ context: ChannelHandlerContext) {
        guard case .handshake = phase else { return }
        guard let remote else { return end(.handshakeFailed("the other side has no certificate")) }
        phase = .hello
        deadline.start(times.hello, on: context.eventLoop) { self.end(.helloTooSlow) }
        watchSilence(context)
        established.succeed(makeLink(remote, context))
    }

    private func watchSilence(_ context: ChannelHandlerContext) {
        do {
            let silence = SilenceHandler(limit: times.silence)
            try context.pipeline.syncOperations.addHandler(silence, position: .first)
        } catch {
            end(.connectionLost(String(describing: error)))
        }
    }

    private func makeLink(_ remote: DeviceID, _ context: ChannelHandlerContext) -> Link {
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        let reader = LinkReader(eventLoop: context.eventLoop, handler: handler)
        let frames = LinkFrames.Producer.makeSequence(
            elementType: Frame.self,
            backPressureStrategy: .init(
                lowWatermark: limits.unreadFramesMax / 2, highWatermark: limits.unreadFramesMax),
            finishOnDeinit: false,
            delegate: reader)
        inlet.admitHello(to: frames.source)
        return Link(
            devices: (own: role.check.own, remote: remote), isDialled: role.isDialler,
            channel: context.channel, frames: LinkFrames(producer: frames.sequence, reader: reader),
            handler: handler, closed: closed.futureResult)
    }

    /// The owner of the link accepted the peer's HELLO: the greater limit holds from here on.
    func acceptHello() {
        guard case .hello = phase else { return }
        phase = .open
        deadline.cancel()
        inlet.admitEverything()
        settle()
        resumeReading()
    }

    /// Ends the link for its first reason; later ones change nothing.
    func end(_ fault: LinkFault) {
        if case .ended = phase { return }
        phase = .ended(fault)
        deadline.cancel()
        frameDeadline.cancel()
        established.fail(fault)
        sendQueue.fail(fault)
        inlet.close()
        closeSocket(fault)
    }

    /// An orderly end reads on, and drops what comes, until the other side's goodbye.
    private func closeSocket(_ fault: LinkFault) {
        if fault.isOrderly {
            context?.close(promise: nil)
            resumeReading()
        } else {
            context?.triggerUserOutboundEvent(SocketCut(), promise: nil)
        }
    }

    /// What the other side sent before it ended the link still reaches the reader.
    private func endFromOutside(_ fault: LinkFault) {
        pass(all: true)
        end(fault)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        endFromOutside(fault(for: error))
    }

    private func fault(for error: any Error) -> LinkFault {
        if let fault = refusal ?? error as? LinkFault { return fault }
        guard error is NIOSSLError || error is BoringSSLError else {
            return .connectionLost(String(describing: error))
        }
        if error as? NIOSSLError == .uncleanShutdown {
            return .connectionLost("the other side ended it without a goodbye")
        }
        if case .open = phase { return .connectionLost(String(describing: error)) }
        return .handshakeFailed(String(describing: error))
    }

    func channelInactive(context: ChannelHandlerContext) {
        if case .handshake = phase {
            end(refusal ?? .handshakeFailed("the other side hung up"))
        } else {
            endFromOutside(.closed)
        }
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        finish()
    }

    /// Keeps the promises; called when the pipeline is gone, or was never made.
    func finish() {
        end(.closed)
        if case .ended(let fault) = phase { closed.succeed(fault) }
        settle()
        context = nil
    }

    private func settle() {
        settled?()
        settled = nil
    }
}

// MARK: - Frames that arrive

extension LinkHandler {
    /// Whether the socket may be read now.
    private var mayRead: Bool {
        switch phase {
        case .handshake, .ended: true
        case .hello, .open: inlet.wantsBytes
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .ended = phase { return }
        inlet.take(unwrapInboundIn(data))
        pass()
    }

    func read(context: ChannelHandlerContext) {
        guard mayRead else {
            readWaits = true
            return
        }
        context.read()
    }

    /// The reader has caught up.
    func readerWantsMore() {
        inlet.readerWantsMore()
        resumeReading()
    }

    private func resumeReading() {
        pass()
        guard mayRead, readWaits else { return }
        readWaits = false
        context?.read()
    }

    private func pass(all: Bool = false) {
        do throws(LinkFault) {
            if try inlet.pass(all: all) { frameDeadline.cancel() }
            watchFrame()
        } catch {
            end(error)
        }
    }

    /// A frame that was begun must be finished in time, but not while this side does not read.
    private func watchFrame() {
        guard inlet.isInsideFrame, mayRead, let context else { return frameDeadline.cancel() }
        guard !frameDeadline.isRunning else { return }
        frameDeadline.start(times.frame, on: context.eventLoop) { self.end(.frameTooSlow) }
    }
}

// MARK: - Frames that leave

extension LinkHandler {
    /// Sends frames in order once fewer bytes wait for the peer than the limit.
    func send(_ frames: [Frame], _ ticket: SendTicket, _ completion: @escaping SendQueue.Completion)
    {
        if case .ended(let fault) = phase { return completion(.failure(fault)) }
        sendQueue.append(.init(ticket: ticket, frames: frames[...], completion: completion))
        drainSendQueue()
    }

    /// Some sender gave up.
    func dropWithdrawnSenders() {
        sendQueue.dropWithdrawn()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        drainSendQueue()
        context.fireChannelWritabilityChanged()
    }

    private func drainSendQueue() {
        guard !isDraining else { return }
        isDraining = true
        defer { isDraining = false }
        while let context, context.channel.isWritable,
            let (frames, completion) = sendQueue.next(bytesMax: limits.queuedBytesMax / 4)
        {
            write(frames, context)
            completion?(.success(()))
        }
    }

    private func write(_ frames: ArraySlice<Frame>, _ context: ChannelHandlerContext) {
        let bytes = frames.reduce(0) { $0 + $1.lengthBytes + Frame.headerBytes }
        var buffer = context.channel.allocator.buffer(capacity: bytes)
        for frame in frames { frame.write(to: &buffer) }
        context.writeAndFlush(wrapOutboundOut(buffer), promise: nil)
    }
}

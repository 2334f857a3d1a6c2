import Links
import NIOCore
import NIOSSL
import NIOTLS
import Records

/// The last handler of a link's pipeline. It leads the link through its phases, each with an
/// absolute deadline, passes received frames to the reader and sends the senders' frames.
final class LinkHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    /// The phase of a link.
    enum Phase {
        /// TLS is not done.
        case handshake
        /// TLS is done; the peer's HELLO has not arrived or was not accepted yet.
        case hello
        /// HELLO was accepted.
        case open
        /// The link has ended for this reason.
        case ended(LinkFault)
    }

    let times: LinkTimes
    let limits: LinkLimits
    let role: LinkRole
    /// The promise of the link when TLS is done, or of the reason it was not made; nil once it is
    /// kept, since the link refers to this handler.
    private var established: EventLoopPromise<Link>?
    /// The reason the link ended, when its socket is closed. This promise never fails.
    let closed: EventLoopPromise<LinkFault>
    /// The peer's place among the strangers of a listener; nil once it is no longer a stranger, or
    /// if this side dialled.
    private var visit: Visit?

    private(set) var phase = Phase.handshake
    private var context: ChannelHandlerContext?
    private var remote: DeviceID?
    private var refusal: LinkFault?
    private var deadline = Deadline()

    private var inlet = FrameInlet()
    private var frameDeadline = Deadline()
    private var readWaits = false
    /// Whether more frames pass in a later turn.
    private var isTurnDue = false

    private var sendQueue = SendQueue()
    private var writeQueue: WriteQueue
    private var isDraining = false
    /// The writes that TLS and the socket hold, and their bytes before TLS.
    private var (writesCount, writtenBytes) = (0, 0)

    init(
        role: LinkRole, times: LinkTimes, limits: LinkLimits, established: EventLoopPromise<Link>,
        visit: Visit? = nil
    ) {
        self.role = role
        self.times = times
        self.limits = limits
        self.visit = visit
        writeQueue = WriteQueue(writeBytes: limits.writeBytes)
        self.established = established
        closed = established.futureResult.eventLoop.makePromise()
    }

    /// The memory allocated for an incomplete frame, in bytes.
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

    /// Checks the peer's certificate; called by TLS before the peer has proved that it has the key.
    /// A refusal is stored for ``errorCaught(context:error:)``, because nothing may be closed from
    /// within TLS.
    func verify(_ chain: [NIOSSLCertificate]) -> NIOSSLVerificationResult {
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
        guard let remote = remoteDevice(context) else {
            return end(refusal ?? .handshakeFailed("the other side has no certificate"))
        }
        phase = .hello
        visit?.advance(to: .proven)
        deadline.start(times.hello, on: context.eventLoop) { self.end(.helloTooSlow) }
        watchSilence(context)
        established?.succeed(makeLink(remote, context))
        established = nil
    }

    /// Returns the device at the other end. A resumed TLS session has no certificate message, so
    /// that ``verify(_:)`` was not called; the certificate of its first handshake is checked.
    private func remoteDevice(_ context: ChannelHandlerContext) -> DeviceID? {
        if remote == nil,
            let certificate = try? context.pipeline.syncOperations.nioSSL_peerCertificate()
        {
            _ = verify([certificate])
        }
        return remote
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

    /// Records that the owner of the link accepted the peer's HELLO: the larger limit applies from
    /// then on.
    func acceptHello(isKnown: Bool) {
        guard case .hello = phase else { return }
        if isKnown { visit?.recognize() }
        phase = .open
        deadline.cancel()
        inlet.admitEverything()
        settle()
        resumeReading()
    }

    /// Ends the link for the first reason; later calls have no effect.
    func end(_ fault: LinkFault) {
        if case .ended = phase { return }
        phase = .ended(fault)
        deadline.cancel()
        frameDeadline.cancel()
        established?.fail(fault)
        established = nil
        sendQueue.fail(fault)
        inlet.close()
        if fault.isOrderly { while writeNext() {} }
        writeQueue.discard()
        closeSocket(fault)
    }

    /// Closes the socket. After an orderly end the socket is read, and the bytes dropped, until the
    /// peer's goodbye.
    private func closeSocket(_ fault: LinkFault) {
        if fault.isOrderly {
            context?.close(promise: nil)
            resumeReading()
        } else {
            context?.triggerUserOutboundEvent(SocketCut(), promise: nil)
        }
    }

    /// Ends the link after the next frames that the peer sent before it ended the link have reached
    /// the reader.
    private func endFromOutside(_ fault: LinkFault) {
        do throws(LinkFault) {
            try inlet.passLast()
        } catch {
            return end(error)
        }
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
            return .connectionLost("the other side closed it without a goodbye")
        }
        if case .open = phase { return .connectionLost(String(describing: error)) }
        return .handshakeFailed(String(describing: error))
    }

    func channelInactive(context: ChannelHandlerContext) {
        if case .handshake = phase {
            end(refusal ?? .handshakeFailed("the other side closed the connection"))
        } else {
            endFromOutside(.closed)
        }
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        finish()
    }

    /// Fulfils the promises; called when the pipeline is removed or was never made.
    func finish() {
        end(.closed)
        if case .ended(let fault) = phase { closed.succeed(fault) }
        settle()
        context = nil
    }

    private func settle() {
        visit?.settle()
        visit = nil
    }
}

// MARK: - Frames that arrive

extension LinkHandler {
    /// Whether the socket may be read now.
    private var mayRead: Bool {
        switch phase {
        case .handshake, .ended: true
        case .hello, .open: inlet.wantsBytes && !isTurnDue
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .ended = phase { return }
        inlet.append(unwrapInboundIn(data))
        pass()
    }

    func read(context: ChannelHandlerContext) {
        guard mayRead else {
            readWaits = true
            return
        }
        context.read()
    }

    /// Records that the reader has caught up.
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

    private func pass() {
        guard !isTurnDue else { return }
        do throws(LinkFault) {
            if try inlet.pass() { frameDeadline.cancel() }
            if inlet.wantsTurn { scheduleTurn() }
            watchFrame()
        } catch {
            end(error)
        }
    }

    /// Passes more frames after the event loop has looked at its other sockets.
    private func scheduleTurn() {
        guard let context else { return }
        isTurnDue = true
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.turnPause) {
            self.isTurnDue = false
            self.resumeReading()
        }
    }

    /// The pause between two turns. A task without a pause would run before the loop looks at its
    /// sockets.
    private static let turnPause = TimeAmount.milliseconds(1)

    /// Starts or stops the deadline of an incomplete frame. It does not run while this side does
    /// not read.
    private func watchFrame() {
        guard inlet.isInsideFrame, mayRead, let context else { return frameDeadline.cancel() }
        guard !frameDeadline.isRunning else { return }
        frameDeadline.start(times.frame, on: context.eventLoop) { self.end(.frameTooSlow) }
    }
}

// MARK: - Frames that leave

extension LinkHandler {
    /// Sends frames in order as soon as fewer bytes than the limit are queued for the peer.
    func send(_ frames: [Frame], _ ticket: SendTicket, _ completion: @escaping SendQueue.Completion)
    {
        if case .ended(let fault) = phase { return completion(.failure(fault)) }
        sendQueue.append(.init(ticket: ticket, frames: frames[...], completion: completion))
        drainSendQueue()
    }

    /// Removes the senders that were cancelled.
    func dropWithdrawnSenders() {
        sendQueue.dropWithdrawn()
    }

    private func drainSendQueue() {
        guard !isDraining else { return }
        isDraining = true
        defer { isDraining = false }
        repeat { queueWrites() } while writesCount < Self.writesMax && writeNext()
    }

    /// The writes that TLS and the socket may hold at a time: while one leaves, the next is ready.
    private static let writesMax = 2

    private func queueWrites() {
        while writtenBytes + writeQueue.bytes < limits.queuedBytesMax,
            let (frames, completion) = sendQueue.next(bytesMax: limits.writeBytes)
        {
            writeQueue.append(frames)
            completion?(.success(()))
        }
    }

    /// Hands the next write to TLS.
    /// - Returns: false if nothing waits.
    private func writeNext() -> Bool {
        guard let context, let write = writeQueue.next() else { return false }
        let bytes = write.readableBytes
        let written = context.eventLoop.makePromise(of: Void.self)
        writesCount += 1
        writtenBytes += bytes
        written.futureResult.assumeIsolated().whenComplete { _ in
            self.writesCount -= 1
            self.writtenBytes -= bytes
            self.drainSendQueue()
        }
        context.writeAndFlush(wrapOutboundOut(write), promise: written)
        return true
    }
}

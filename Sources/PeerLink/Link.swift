public import Links
import NIOCore
public import Records
import Synchronization

/// A TLS 1.3 connection to another device, whose key is proved, carrying frames both ways.
///
/// The first frame each side sends is its HELLO, at most `Limits.helloFrameBytesMax`. After the
/// peer's first frame nothing more is read until ``helloAccepted()``.
public final class Link: Sendable {
    /// This device.
    public let ownDevice: DeviceID
    /// The device at the other end: it has proved to hold this key.
    public let remoteDevice: DeviceID
    /// Whether this device dialled.
    public let isDialled: Bool
    /// The other end of the socket; nil where the system does not say.
    public let remoteAddress: LinkAddress?
    /// This end of the socket; nil where the system does not say.
    public let localAddress: LinkAddress?
    /// What arrives; to be read by one loop, which ends when the link does.
    public let frames: LinkFrames

    private let eventLoop: any EventLoop
    private let handler: NIOLoopBound<LinkHandler>
    private let closedFuture: EventLoopFuture<LinkFault>

    init(
        devices: (own: DeviceID, remote: DeviceID), isDialled: Bool, channel: any Channel,
        frames: LinkFrames, handler: NIOLoopBound<LinkHandler>, closed: EventLoopFuture<LinkFault>
    ) {
        ownDevice = devices.own
        remoteDevice = devices.remote
        self.isDialled = isDialled
        remoteAddress = LinkAddress(channel.remoteAddress)
        localAddress = LinkAddress(channel.localAddress)
        self.frames = frames
        self.handler = handler
        eventLoop = channel.eventLoop
        closedFuture = closed
    }

    /// Why the link ended; waits until it has and its socket is closed.
    public var closed: LinkFault {
        get async { (try? await closedFuture.get()) ?? .closed }
    }

    /// The peer's HELLO is accepted: from here on frames may be `Limits.frameBytesMax` long, and
    /// no deadline but those of frame, silence and writing holds.
    public func helloAccepted() {
        eventLoop.execute { self.handler.value.acceptHello() }
    }

    /// Ends the link for this reason, after what was sent and before what waits to be sent. The
    /// first reason is the one that counts; the peer is not told it.
    public func close(because fault: LinkFault) {
        eventLoop.execute { self.handler.value.end(fault) }
    }
}

extension Link {
    /// Sends one frame; see ``send(_:)-([Frame])``.
    public func send(_ frame: Frame) async throws(LinkFault) {
        try await send([frame])
    }

    /// Sends frames in order and in as few writes as the limits allow. Suspends while
    /// ``LinkLimits/queuedBytesMax`` bytes wait for the peer; returning means queued, not received.
    /// - Throws: ``LinkFault/frameTooLong(bytes:limit:)`` where one is over `Limits.frameBytesMax`
    ///   (nothing is sent, the link stays), ``LinkFault/cancelled`` where this task was (whole
    ///   frames may have been sent, the link stays), else why the link ended.
    public func send(_ frames: [Frame]) async throws(LinkFault) {
        if let frame = frames.first(where: { $0.lengthBytes > Limits.frameBytesMax }) {
            throw .frameTooLong(bytes: frame.lengthBytes, limit: Limits.frameBytesMax)
        }
        guard !frames.isEmpty else { return }
        try await queue(frames, SendTicket()).get()
    }

    private func queue(_ frames: [Frame], _ ticket: SendTicket) async -> Result<Void, LinkFault> {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                eventLoop.execute {
                    self.handler.value.send(frames, ticket) { continuation.resume(returning: $0) }
                }
            }
        } onCancel: {
            ticket.withdraw()
            eventLoop.execute { self.handler.value.dropWithdrawnSenders() }
        }
    }
}

public import Links
import NIOCore
public import Records
import Synchronization

/// A TLS 1.3 connection to another device that has proved its key. It carries frames in both
/// directions.
///
/// The first frame of each side is its HELLO, at most `Limits.helloFrameBytesMax` long. After the
/// peer's first frame nothing more is read until ``helloAccepted(isKnown:)``.
public final class Link: Sendable {
    /// This device.
    public let ownDevice: DeviceID
    /// The device at the other end, which has proved that it has this key.
    public let remoteDevice: DeviceID
    /// Whether this device dialled.
    public let isDialled: Bool
    /// The address of the other end of the socket; nil if the system does not report it.
    public let remoteAddress: LinkAddress?
    /// The address of this end of the socket; nil if the system does not report it.
    public let localAddress: LinkAddress?
    /// The received frames, for one reader; the sequence ends with the link.
    public let frames: LinkFrames

    /// Runs everything that concerns the link.
    let eventLoop: any EventLoop
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

    /// The reason the link ended; waits until it has ended and its socket is closed.
    public var closed: LinkFault {
        get async { (try? await closedFuture.get()) ?? .closed }
    }

    /// Records that the peer's HELLO was accepted. From then on, frames may be
    /// `Limits.frameBytesMax` long, and only the deadlines for frames, silence and writing apply.
    public func helloAccepted(isKnown: Bool) {
        eventLoop.execute { self.handler.value.acceptHello(isKnown: isKnown) }
    }

    /// Ends the link after the frames that were sent; queued frames are discarded. Only the first
    /// reason counts, and the peer does not receive it.
    public func close(because fault: LinkFault) {
        eventLoop.execute { self.handler.value.end(fault) }
    }
}

extension Link {
    /// Sends one frame; see ``send(_:)-([Frame])``.
    public func send(_ frame: Frame) async throws(LinkFault) {
        try await send([frame])
    }

    /// Sends frames in order, with as few writes as the limits permit. Suspends while
    /// ``LinkLimits/queuedBytesMax`` bytes are queued for the peer. Returning means queued, not
    /// received.
    /// - Throws: ``LinkFault/frameTooLong(bytes:limit:)`` if a frame is over `Limits.frameBytesMax`
    ///   (nothing is sent, the link stays open), ``LinkFault/cancelled`` if this task was cancelled
    ///   (some frames may have been sent, the link stays open), otherwise the reason the link
    ///   ended.
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

import Links
import NIOCore

/// Reports ``LinkFault/writeTooSlow`` if bytes are queued for the socket and it accepts none for
/// too long, and cuts the connection on ``SocketCut``. Its position is next to the socket.
final class WriteStallHandler: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The size of the pieces in which progress is measured, in bytes: about one TLS record.
    static let pieceBytes = 16 * 1024

    private let limit: Duration
    private var timer: StallTimer?
    private var piecesQueued = 0

    init(limit: Duration) {
        self.limit = limit
    }

    func handlerAdded(context: ChannelHandlerContext) {
        timer = StallTimer(limit: limit, eventLoop: context.eventLoop) {
            context.fireErrorCaught(LinkFault.writeTooSlow)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        timer = nil
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        var bytes = unwrapOutboundIn(data)
        while bytes.readableBytes > Self.pieceBytes,
            let piece = bytes.readSlice(length: Self.pieceBytes)
        {
            write(piece, context: context, promise: nil)
        }
        write(bytes, context: context, promise: promise)
    }

    func triggerUserOutboundEvent(
        context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
    ) {
        guard event is SocketCut else {
            return context.triggerUserOutboundEvent(event, promise: promise)
        }
        context.close(promise: promise)
    }

    private func write(
        _ piece: ByteBuffer, context: ChannelHandlerContext, promise: EventLoopPromise<Void>?
    ) {
        if piecesQueued == 0 { timer?.wait() }
        piecesQueued += 1
        let written = promise ?? context.eventLoop.makePromise()
        written.futureResult.assumeIsolated().whenComplete { _ in self.pieceLeft() }
        context.write(wrapOutboundOut(piece), promise: written)
    }

    private func pieceLeft() {
        piecesQueued -= 1
        if piecesQueued == 0 {
            timer?.stopWaiting()
        } else {
            timer?.wait()
        }
    }
}

/// An event that closes the socket at once, below TLS and without its goodbye.
struct SocketCut {}

import Links
import NIOCore

/// Reports ``LinkFault/silent`` when this side wants to read and not one byte comes for too long.
/// It stands beside the socket, so that bytes of an unfinished TLS record count as well, and comes
/// there when TLS is done: until then the deadline of the handshake holds.
final class SilenceHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer

    private let limit: Duration
    private var timer: StallTimer?
    private var isWaiting = false

    init(limit: Duration) {
        self.limit = limit
    }

    func handlerAdded(context: ChannelHandlerContext) {
        timer = StallTimer(limit: limit, eventLoop: context.eventLoop) {
            context.fireErrorCaught(LinkFault.silent)
        }
        wait()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        timer = nil
    }

    /// Only while a read is asked for may the other side be blamed for its silence.
    func read(context: ChannelHandlerContext) {
        if !isWaiting { wait() }
        context.read()
    }

    private func wait() {
        isWaiting = true
        timer?.wait()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isWaiting = false
        timer?.stopWaiting()
        context.fireChannelRead(data)
    }
}

import Links
import NIOCore

/// Reports ``LinkFault/silent`` if this side reads and receives no byte for too long. Its position
/// next to the socket makes bytes of incomplete TLS records count too. It is added when TLS is
/// done, because before that the handshake's deadline applies.
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

    /// Starts the timer. The peer's silence counts only while a read is requested.
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

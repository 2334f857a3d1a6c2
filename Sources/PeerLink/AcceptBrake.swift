import NIOCore

/// Stops accepting connections while their event loops are behind, so that accepted sockets do not
/// pile up: the connections wait in the system's queue, where they cost no descriptor.
///
/// The gate limits connections too, but only when their event loop asks it. For example, 1000
/// connections a second come while that loop checks signatures for two seconds: without this
/// handler the process would hold 2000 sockets.
///
/// It belongs in front of a listening channel's own handlers.
final class AcceptBrake: ChannelDuplexHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel
    typealias OutboundIn = Never

    private let unattendedMax: Int
    /// The accepted connections whose event loop has not begun with them.
    private var unattendedCount = 0
    private var readWaits = false

    init(unattendedMax: Int) {
        self.unattendedMax = unattendedMax
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        unattendedCount += 1
        let own = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        let eventLoop = context.eventLoop
        unwrapInboundIn(data).eventLoop.execute {
            eventLoop.execute { own.value.handler.attended(own.value.context) }
        }
        context.fireChannelRead(data)
    }

    func read(context: ChannelHandlerContext) {
        guard unattendedCount < unattendedMax else {
            readWaits = true
            return
        }
        context.read()
    }

    private func attended(_ context: ChannelHandlerContext) {
        unattendedCount -= 1
        guard readWaits, unattendedCount < unattendedMax else { return }
        readWaits = false
        context.read()
    }
}

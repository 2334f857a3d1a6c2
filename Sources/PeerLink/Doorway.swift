import Links
import NIOCore
import Synchronization

/// The gate of a listener, shared by the event loops of its connections.
final class Doorway: Sendable {
    private struct State {
        var gate: AcceptGate
        /// Closes the connections that wait.
        var closers: [AcceptGate.Ticket: @Sendable () -> Void] = [:]
    }

    private let state: Mutex<State>

    init(limits: LinkLimits) {
        state = Mutex(State(gate: AcceptGate(limits: limits)))
    }

    /// Admits a connection and closes the one that it evicts, or returns nil.
    func admit(from origin: Origin, now: NIODeadline) -> Visit? {
        let (visit, close) = state.withLock { state -> (Visit?, (@Sendable () -> Void)?) in
            guard let (ticket, evicted) = state.gate.admit(from: origin, now: now) else {
                return (nil, nil)
            }
            let close = evicted.flatMap { state.closers.removeValue(forKey: $0) }
            return (Visit(self, ticket), close)
        }
        close?()
        return visit
    }

    fileprivate func advance(_ ticket: AcceptGate.Ticket, to progress: AcceptGate.Progress) {
        state.withLock { $0.gate.advance(ticket, to: progress) }
    }

    fileprivate func recognize(_ ticket: AcceptGate.Ticket) {
        state.withLock { $0.gate.recognize(ticket) }
    }

    fileprivate func settle(_ ticket: AcceptGate.Ticket) {
        state.withLock { state in
            state.gate.settle(ticket)
            state.closers[ticket] = nil
        }
    }

    fileprivate func register(_ ticket: AcceptGate.Ticket, _ close: @escaping @Sendable () -> Void)
    {
        let isHeld = state.withLock { state in
            guard state.gate.holds(ticket) else { return false }
            state.closers[ticket] = close
            return true
        }
        if !isHeld { close() }
    }
}

/// The place of one connection among the strangers, from its admission until it is settled.
struct Visit: Sendable {
    private let doorway: Doorway
    private let ticket: AcceptGate.Ticket

    fileprivate init(_ doorway: Doorway, _ ticket: AcceptGate.Ticket) {
        self.doorway = doorway
        self.ticket = ticket
    }

    /// Calls `close` when a newcomer takes this place, at once if that already happened.
    func whenCrowdedOut(_ close: @escaping @Sendable () -> Void) {
        doorway.register(ticket, close)
    }

    /// Records how far the connection has come.
    func advance(to progress: AcceptGate.Progress) { doorway.advance(ticket, to: progress) }

    /// Records that the peer is a known person's, so that its address keeps places in a flood.
    func recognize() { doorway.recognize(ticket) }

    /// Records that the peer is no stranger any more, or is gone; must be called once.
    func settle() { doorway.settle(ticket) }
}

/// Records the first bytes of a connection and leaves the pipeline. Its position is next to the
/// socket, so that the bytes of an incomplete handshake count.
final class FirstBytesHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    private let visit: Visit

    init(_ visit: Visit) {
        self.visit = visit
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        visit.advance(to: .speaking)
        context.fireChannelRead(data)
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }
}

import Glibc
import Logging
import NIOCore

/// Closes a connection that does not come from the node's own user, before it reads a byte.
///
/// The socket's mode and directory already exclude others; this check holds even if those were
/// changed.
final class PeerGate: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    /// Linux's `struct ucred`, which Glibc declares only for GNU sources: see SO_PEERCRED in
    /// unix(7).
    private struct Credentials: Sendable {
        let process: pid_t
        let user: uid_t
        let group: gid_t
    }

    private let user: uid_t
    private let logger: Logger

    init(user: uid_t, logger: Logger) {
        self.user = user
        self.logger = logger
    }

    func handlerAdded(context: ChannelHandlerContext) {
        guard let socket = context.channel as? any SocketOptionProvider else {
            return context.close(promise: nil)
        }
        let credentials: EventLoopFuture<Credentials> = socket.unsafeGetSocketOption(
            level: .socket, name: NIOBSDSocket.Option(rawValue: SO_PEERCRED))
        let channel = context.channel
        credentials.whenComplete { [user, logger] result in
            if case .success(let peer) = result, peer.user == user { return }
            logger.warning("closed a connection to the local API from another user")
            channel.close(promise: nil)
        }
    }
}

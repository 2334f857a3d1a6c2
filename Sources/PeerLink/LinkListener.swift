import Glibc
public import Links
import Logging
import NIOCore
import NIOPosix
import Records
import Synchronization

/// A port on which links are accepted, until ``close()``.
public struct LinkListener: Sendable {
    /// The bound port.
    public let port: UInt16
    /// The links that other devices dialled, after TLS; to be read by one loop. When that loop
    /// ends, the port is closed. A link that is not read in time ends as
    /// ``LinkFault/helloTooSlow``.
    public let links: AsyncStream<Link>

    private let channel: any Channel

    init(port: UInt16, links: AsyncStream<Link>, channel: any Channel) {
        self.port = port
        self.links = links
        self.channel = channel
    }

    /// Closes the port and ends ``links``. Accepted links stay open.
    public func close() async {
        try? await channel.close().get()
    }
}

extension LinkEndpoint {
    /// Listens on a port; 0 selects any free port. The host "::" means all IPv6 and IPv4 addresses
    /// of this machine, or all IPv4 addresses if it has no IPv6.
    /// - Throws: ``ListenFault/portTaken(port:)`` or ``ListenFault/cannotListen(_:)``.
    public func listen(
        host: String = "::", port: UInt16
    ) async throws(ListenFault) -> LinkListener {
        let bound = await bind(host: host, port: port)
        guard host == "::", case .failure(.cannotListen) = bound else { return try bound.get() }
        return try await bind(host: "0.0.0.0", port: port).get()
    }

    private func bind(host: String, port: UInt16) async -> Result<LinkListener, ListenFault> {
        let (links, arrivals) = AsyncStream.makeStream(
            of: Link.self, bufferingPolicy: .bufferingOldest(limits.strangersMax))
        do {
            let address = try SocketAddress(ipAddress: host, port: Int(port))
            let channel = try await serverBootstrap(address, arrivals).bind(to: address).get()
            arrivals.onTermination = { _ in channel.close(promise: nil) }
            channel.closeFuture.whenComplete { _ in arrivals.finish() }
            let bound = UInt16(truncatingIfNeeded: channel.localAddress?.port ?? Int(port))
            return .success(LinkListener(port: bound, links: links, channel: channel))
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            return .failure(.portTaken(port: port))
        } catch {
            return .failure(.cannotListen(String(describing: error)))
        }
    }

    private func serverBootstrap(
        _ address: SocketAddress, _ arrivals: AsyncStream<Link>.Continuation
    ) -> ServerBootstrap {
        let doorway = Doorway(limits: limits)
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 128)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { [limits] channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        AcceptBrake(unattendedMax: limits.unattendedMax))
                }
            }
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { [self] channel in
                channel.eventLoop.makeCompletedFuture { try accept(channel, doorway, arrivals) }
            }
        guard case .v6 = address else { return bootstrap }
        let ipv6Only = ChannelOptions.Types.SocketOption(level: .ipv6, name: .ipv6_v6only)
        return bootstrap.serverChannelOption(ipv6Only, value: 0)
    }

    /// Admits a connection, or throws, which closes it.
    private func accept(
        _ channel: any Channel, _ doorway: Doorway, _ arrivals: AsyncStream<Link>.Continuation
    ) throws {
        let origin = Origin(channel.remoteAddress)
        let logger = logger
        guard let visit = doorway.admit(from: origin, now: channel.eventLoop.now) else {
            logger.debug("refused a connection", metadata: ["from": "\(origin.address)"])
            throw LinkFault.refused
        }
        let role = LinkRole(isDialler: false, check: PeerCheck(own: device, expected: nil))
        try prepare(channel, role, visit: visit).whenComplete { result in
            switch result {
            case .success(let link): arrivals.yield(link)
            case .failure(let fault):
                logger.debug(
                    "a connection did not become a link",
                    metadata: ["from": "\(origin.address)", "reason": "\(fault)"])
            }
        }
    }
}

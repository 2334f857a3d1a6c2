import Glibc
import Identity
import Links
import Logging
import NIOCore
import NIOPosix
import Records

@testable import PeerLink
@testable import Sync

/// A peer that dials from any address of the loopback interface and reads nothing but what a test
/// reads from ``frames``.
struct Attacker {
    /// The link, over real TLS.
    let link: Link
    /// The frames that arrived, which end with the link.
    var frames: LinkFrames.AsyncIterator

    /// Opens a TLS link and says nothing over it.
    /// - Parameters:
    ///   - host: the address to dial from, such as `127.0.0.9`.
    ///   - isNarrow: whether the sockets of both ends hold few bytes; then unread answers wait in
    ///     the node.
    init(
        to port: UInt16, as key: DeviceKey = DeviceKey(), from host: String = "127.0.0.1",
        isNarrow: Bool = false
    ) async throws {
        let endpoint = try LinkEndpoint(key: key.privateKey, logger: .quiet)
        let (made, making) = AsyncStream.makeStream(of: EventLoopFuture<Link>.self)
        let bootstrap = ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let check = PeerCheck(own: endpoint.device, expected: nil)
                    let role = LinkRole(isDialler: true, check: check)
                    making.yield(try endpoint.prepare(channel, role))
                }
            }
        _ = try await Attacker.dial(port, from: host, isNarrow: isNarrow, bootstrap)
        making.finish()
        var future = made.makeAsyncIterator()
        guard let link = try await future.next()?.get() else { throw LinkFault.closed }
        self.link = link
        frames = link.frames.makeAsyncIterator()
    }

    /// Opens a TLS link and exchanges HELLOs, by default as an unknown person.
    static func greeted(
        by port: UInt16, as identity: (DeviceKey, PersonRecord)? = nil,
        from host: String = "127.0.0.1", isNarrow: Bool = false
    ) async throws -> Attacker {
        let (key, person) = try identity ?? HostilePeer.stranger()
        var attacker = try await Attacker(
            to: port, as: key, from: host, isNarrow: isNarrow)
        try await attacker.send(.hello(HostilePeer.hello(person)))
        guard await attacker.frames.next() != nil else { throw LinkFault.closed }
        attacker.link.helloAccepted(isKnown: false)
        return attacker
    }

    /// Sends a message.
    func send(_ message: Message) async throws {
        try await link.send(frame(of: message))
    }

    /// Returns the frame of a message.
    func frame(of message: Message) -> Frame {
        Frame(type: message.type, payload: message.payload(sender: link.ownDevice))
    }

    /// Opens a TCP connection that says nothing.
    static func silence(to port: UInt16, from host: String) async throws -> any Channel {
        try await dial(
            port, from: host, isNarrow: false,
            ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup))
    }

    private static func dial(
        _ port: UInt16, from host: String, isNarrow: Bool, _ bootstrap: ClientBootstrap
    ) async throws -> any Channel {
        var bootstrap = bootstrap.bind(to: try SocketAddress(ipAddress: host, port: 0))
        if isNarrow {
            // The system sizes the other end's send buffer by the segments that this end accepts.
            let segment = ChannelOptions.Types.SocketOption(
                level: .tcp, name: NIOBSDSocket.Option(rawValue: TCP_MAXSEG))
            bootstrap = bootstrap.channelOption(.socketOption(.so_rcvbuf), value: 4096)
                .channelOption(segment, value: 536)
        }
        return try await bootstrap.connect(host: "127.0.0.1", port: Int(port)).get()
    }
}

extension Logger {
    /// Logs nothing: an attack is not worth a line.
    static let quiet = Logger(label: "hostile") { _ in SwiftLogNoOpLogHandler() }
}

import ControlAPI
import Glibc
import Hummingbird
import NIOCore
public import Logging
public import Node
public import PluginKit
public import ServiceLifecycle

/// Serves the commands and events of a node on its Unix socket.
///
/// Only the node's own user has access: the socket has mode 0600 in a directory of mode 0700, and
/// each connection's user is checked as well.
public struct LocalAPIServer: Service, CustomStringConvertible {
    /// The server's name among the services of a process.
    public var description: String { "local API" }

    /// The time after which a connection that is idle within one request is closed.
    private static let idleMax = Duration.seconds(60)

    private let socketPath: String
    private let responder: LocalAPIResponder
    private let user: uid_t
    private let logger: Logger
    private let onListening: @Sendable () async -> Void

    /// Creates a server that does not listen yet.
    /// - Parameters:
    ///   - socketPath: the path to listen on, in an existing directory.
    ///   - version: the node's, for the description of the API.
    ///   - clock: for the heartbeats of event streams.
    ///   - onListening: called once, when clients can connect.
    public init(
        socketPath: String, service: any CommandService, version: String, clock: any NodeClock,
        logger: Logger, onListening: @escaping @Sendable () async -> Void = {}
    ) {
        self.init(
            socketPath: socketPath, service: service, version: version, clock: clock,
            logger: logger, user: getuid(), onListening: onListening)
    }

    /// Creates a server for another user than the one it runs as.
    init(
        socketPath: String, service: any CommandService, version: String, clock: any NodeClock,
        logger: Logger, user: uid_t, onListening: @escaping @Sendable () async -> Void
    ) {
        self.socketPath = socketPath
        self.logger = logger
        self.user = user
        self.onListening = onListening
        responder = LocalAPIResponder(
            service: service, version: version, clock: clock, logger: logger)
    }

    /// Listens until the task is cancelled or the services shut down; open event streams end then.
    /// - Throws: ``CommandFault/conflict(_:)`` if another node answers on the socket,
    ///   ``CommandFault/failed(_:)`` if it cannot be created.
    public func run() async throws {
        try SocketFile.makeRoom(socketPath)
        defer { unsafe unlink(socketPath) }
        let application = Application(
            responder: responder,
            server: .http1(
                configuration: .init(
                    additionalChannelHandlers: [PeerGate(user: user, logger: logger)],
                    idleTimeout: TimeAmount(Self.idleMax))),
            configuration: ApplicationConfiguration(
                address: .unixDomainSocket(path: socketPath),
                availableConnectionsDelegate: .maximum(APILimits.connectionsMax, logger: logger)),
            onServerRunning: { [socketPath, logger, onListening] channel in
                do throws(CommandFault) {
                    try SocketFile.makePrivate(socketPath)
                } catch {
                    logger.error("\(error.reason.english)")
                    return channel.close(promise: nil)
                }
                await onListening()
            },
            logger: logger)
        try await application.run()
    }
}

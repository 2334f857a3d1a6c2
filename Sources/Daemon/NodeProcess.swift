internal import ControlAPI
internal import Identity
internal import Links
public import Logging
public import Node
internal import PluginHost
public import PluginKit
internal import Replica
internal import ServiceLifecycle
internal import UnixSignals

/// The daemon: one node on one home, with its local API, from start to end.
public struct NodeProcess: Sendable {
    private let settings: NodeSettings
    private let plugins: [any Plugin.Type]
    private let logger: Logger

    /// Creates a process that will run with these settings and plugins.
    public init(
        settings: NodeSettings, plugins: [any Plugin.Type] = PluginCatalogue.all, logger: Logger
    ) {
        self.settings = settings
        self.plugins = plugins
        self.logger = logger
    }

    /// Runs until it is told to end by a signal or by `waggle stop`.
    /// - Parameter started: called once the local API answers, with the port of links and the
    ///   socket's path.
    /// - Throws: ``CommandFault`` with the sentence for the person who started it.
    public func run(
        started: @escaping @Sendable (_ port: UInt16, _ socket: String) async -> Void
    ) async throws {
        Allocator.keepSmall()
        let socket = try prepare()
        let lock = try HomeLock(settings.home)
        defer { withExtendedLifetime(lock) {} }
        let ending = Ending()
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in signals { await ending.request() } }
            defer { group.cancelAll() }
            var (port, notice) = (settings.listenPort, Notice?.none)
            repeat {
                (port, notice) = try await runOnce(
                    port: port, socket: socket, notice, ending, started)
                if await ending.isRequested { return }
            } while notice != nil
        }
    }

    /// Runs one node from its start to its end.
    /// - Parameter notice: a notice for the person about the reason for a restart.
    /// - Returns: the port it had, and the reason to restart, if there is one.
    private func runOnce(
        port: UInt16, socket: String, _ notice: Notice?, _ ending: Ending,
        _ started: @escaping @Sendable (_ port: UInt16, _ socket: String) async -> Void
    ) async throws -> (UInt16, Notice?) {
        let (stopRequests, stopRequest) = AsyncStream.makeStream(of: Never.self)
        let identity = try NodeIdentity.load(from: settings.home)
        let surroundings = try Surroundings.real(of: identity.key, settings, logger)
        let node = try assemble(identity, surroundings, stopRequest)
        let listener = try await listen(surroundings, port: port)
        try await node.prepare(port: listener.port)
        if let notice { await node.goOn(after: notice) }
        let api = LocalAPIServer(
            socketPath: socket, service: NodeService(node: node), version: NodeVersion.current,
            clock: surroundings.clock, logger: logger,
            onListening: { await started(listener.port, socket) })
        let services = services(node, listener, api, stopRequests)
        await ending.shutDown(services)
        try await services.run()
        if let fault = await node.replica.ending { throw fault.commandFault }
        do { try await node.replica.close() } catch {
            logger.error("the replica was not closed cleanly", metadata: ["why": "\(error)"])
        }
        if await node.isDeleted { HomeFiles.remove(settings.home) }
        return (listener.port, await node.reasonToBeginAnew)
    }

    private func prepare() throws -> String {
        do {
            try settings.home.prepare()
            return try settings.home.prepareSocket()
        } catch {
            throw error.commandFault
        }
    }

    private func services(
        _ node: Node, _ listener: any LinkArrivals, _ api: LocalAPIServer,
        _ stopRequests: AsyncStream<Never>
    ) -> ServiceGroup {
        ServiceGroup(
            configuration: .init(
                services: [
                    .init(service: NodeLoop(node: node, listener: listener)),
                    .init(service: api, successTerminationBehavior: .gracefullyShutdownGroup),
                    .init(
                        service: StopWatch(requests: stopRequests),
                        successTerminationBehavior: .gracefullyShutdownGroup),
                ], logger: logger))
    }

    private func listen(
        _ surroundings: Surroundings, port: UInt16
    ) async throws -> any LinkArrivals {
        do throws(ListenFault) {
            return try await surroundings.transport.listen(
                preferring: port, otherwise: settings.listenPort, clock: surroundings.clock)
        } catch {
            throw error.commandFault
        }
    }

    /// Creates the node of a home and all its parts.
    private func assemble(
        _ identity: NodeIdentity, _ surroundings: Surroundings,
        _ stopRequest: AsyncStream<Never>.Continuation
    ) throws -> Node {
        let node = try Node(
            settings: settings, identity: identity, plugins: plugins, surroundings: surroundings,
            stopRequest: stopRequest)
        if node.replica.startCountsDisagree {
            logger.warning(
                """
                the replica is not the one this home was last run with: a backup was restored, or \
                the file was lost. Nothing is written until peers have told what is missing
                """)
        }
        return node
    }
}

/// The request to end the process. It also counts while one run of the node ends and the next one
/// begins, when no services are there to hear it.
private actor Ending {
    private(set) var isRequested = false
    private var services: ServiceGroup?

    /// Shuts the present services down, and those that begin later.
    func request() async {
        isRequested = true
        await services?.triggerGracefulShutdown()
    }

    /// Shuts these services down on request, at once if it came before.
    func shutDown(_ services: ServiceGroup) async {
        self.services = services
        if isRequested { await services.triggerGracefulShutdown() }
    }
}

/// The node as a service: on shutdown it first says goodbye on its links.
private struct NodeLoop: Service, CustomStringConvertible {
    // The group prints each service; without a description it would print all its contents.
    var description: String { "node" }
    let node: Node
    let listener: any LinkArrivals

    func run() async throws {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await node.run(listener: listener) }
            group.addTask {
                // However the node ends, the goodbye is sent before anything is cancelled.
                try? await gracefulShutdown()
                await node.stop(listener: listener)
            }
            await group.next()
            group.cancelAll()
        }
    }
}

/// Ends the group when `waggle stop` is requested.
private struct StopWatch: Service, CustomStringConvertible {
    var description: String { "stop watch" }
    let requests: AsyncStream<Never>

    func run() async throws {
        await cancelWhenGracefulShutdown { for await _ in requests {} }
    }
}

extension ListenFault {
    /// The fault and its remedy, for the person who started the node.
    fileprivate var commandFault: CommandFault {
        switch self {
        case .portTaken(let port):
            .failed(
                "port \(port) is taken by another program: end it, or use another --listen-port")
        case .cannotListen(let reason):
            .failed("other devices cannot connect to this one: \(reason)")
        }
    }
}

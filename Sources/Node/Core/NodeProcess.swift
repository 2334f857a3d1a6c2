internal import ControlAPI
internal import Discovery
internal import Identity
public import Logging
internal import PeerLink
public import PluginKit
internal import Records
internal import Replica
internal import ServiceLifecycle
internal import UnixSignals

/// The daemon: one node on one home, with its local API, from start to end.
public struct NodeProcess: Sendable {
    private let settings: NodeSettings
    private let plugins: [any Plugin.Type]
    private let logger: Logger

    /// A process that will run with these settings and plugins.
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
        let socket = try prepare()
        let lock = try HomeLock(settings.home)
        defer { withExtendedLifetime(lock) {} }
        let (stopRequests, stopRequest) = AsyncStream.makeStream(of: Never.self)
        let node = try await assemble(stopRequest)
        let listener = try await listen(node.endpoint)
        try await node.prepare(port: listener.port)
        let api = LocalAPIServer(
            socketPath: socket, service: NodeService(node: node), version: NodeVersion.current,
            clock: node.clock, logger: logger,
            onListening: { await started(listener.port, socket) })
        try await services(node, listener, api, stopRequests).run()
        do { try await node.replica.close() } catch {
            logger.error("the replica was not closed in good order", metadata: ["why": "\(error)"])
        }
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
        _ node: Node, _ listener: LinkListener, _ api: LocalAPIServer,
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
                ],
                gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
    }

    private func listen(_ endpoint: LinkEndpoint) async throws -> LinkListener {
        do {
            return try await endpoint.listen(host: "::", port: settings.listenPort)
        } catch {
            throw CommandFault.failed("\(error)")
        }
    }

    /// Makes the node of a home, with everything it is made of.
    private func assemble(_ stopRequest: AsyncStream<Never>.Continuation) async throws -> Node {
        let home = settings.home
        let identity = try NodeIdentity.load(from: home)
        let clock = SystemClock()
        let random = SystemRandom()
        let events = EventHub()
        let host = try PluginHost(
            plugins, marker: try PluginMarker(
                directory: home.directory, plugins: plugins.map { $0.manifest.id }),
            clock: clock, logger: logger)
        let replica = try openReplica(identity, host)
        if replica.startCountsDisagree {
            logger.warning(
                """
                the replica is not the one this home was last run with: a backup was restored, or \
                the file was lost. What you write now may collide with what you wrote before
                """)
        }
        let endpoint = try LinkEndpoint(key: identity.key.privateKey, logger: logger)
        let fixed = FixedAddresses(settings.peers.compactMap { Endpoint($0) })
        let avahi: (any Discovery)? =
            settings.usesAvahi
            ? AvahiDiscovery(leavingOut: settings.interfacesLeftOut, logger: logger) : nil
        let boot = Boot(
            id: random.nonce(), startCount: UInt64(clamping: replica.startCount.inDatabase))
        let node = Node(
            NodeParts(
                settings: settings, identity: identity, replica: replica, endpoint: endpoint,
                avahi: avahi, fixed: fixed, host: host, events: events, clock: clock,
                random: random, logger: logger, boot: boot, replicaEpoch: boot.id,
                stopRequest: stopRequest))
        load(host, into: node, identity, events, clock, random)
        return node
    }

    private func openReplica(_ identity: NodeIdentity, _ host: PluginHost) throws -> Replica {
        do {
            return try Replica(
                path: settings.home.replicaFile, key: identity.key,
                collections: host.collections, views: host.views)
        } catch let fault as ReplicaFault {
            throw fault.commandFault
        }
    }

    private func load(
        _ host: PluginHost, into node: Node, _ identity: NodeIdentity, _ events: EventHub,
        _ clock: SystemClock, _ random: any RandomSource
    ) {
        let reference = NodeReference(host: host, events: events)
        reference.set(node)
        let core = host.catalogue.first { $0.manifest.provides != nil }
        let coreTables = core.map { PluginServices.tables(of: $0.manifest) } ?? []
        host.load { type in
            let services = PluginServices(
                manifest: type.manifest, coreTables: coreTables, node: reference)
            var pluginLogger = logger
            pluginLogger[metadataKey: "plugin"] = "\(type.manifest.id)"
            return PluginContext(
                me: identity.person.person, device: identity.key.id, replica: services,
                topics: services, events: services, core: services, nearby: services, clock: clock,
                random: random, logger: pluginLogger)
        }
    }
}

/// The node as a service: told to end, it says goodbye on its links first.
private struct NodeLoop: Service {
    let node: Node
    let listener: LinkListener

    func run() async throws {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await node.run(listener: listener) }
            group.addTask {
                // Whichever way the end comes, the goodbye is said before anything is cancelled.
                try? await gracefulShutdown()
                await node.stop(listener: listener)
            }
            await group.next()
            group.cancelAll()
        }
    }
}

/// Ends the group when `waggle stop` is asked.
private struct StopWatch: Service {
    let requests: AsyncStream<Never>

    func run() async throws {
        await cancelWhenGracefulShutdown { for await _ in requests {} }
    }
}

/// The node as the local API sees it.
struct NodeService: CommandService {
    let node: Node

    var declarations: [CommandDeclaration] {
        NodeCommands.declarations(of: node.host.catalogue)
    }

    func perform(
        _ declaration: CommandDeclaration, _ arguments: Arguments
    ) async throws -> JSONValue {
        if let core = CoreCommand.allCases.first(where: { $0.declaration == declaration }) {
            return try await node.perform(core, arguments)
        }
        if let answer = try await node.host.perform(declaration, arguments) { return answer }
        throw CommandFault.refused(
            "'\(declaration.noun) \(declaration.verb)' belongs to a plugin that is disabled")
    }

    func events() async -> AsyncStream<NodeEvent> { node.events.follow() }
}

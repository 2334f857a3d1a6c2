internal import ControlAPI
internal import Foundation
internal import Identity
internal import Logging
internal import Node
internal import PeerLink
internal import PluginKit
internal import Records
internal import Replica
internal import Synchronization
internal import TestSupport

/// The node that a command was given to is not running, or was killed before it answered.
struct NodeIsGone: Error {}

/// One person's device: its home on the disk, and the whole node that runs on it or does not.
final class SimulatedNode: Sendable {
    /// One run, from start to kill.
    private struct Run {
        let number: Int
        let node: Node
        let transport: SimulatedTransport
        let discovery: SimulatedDiscovery
        let arrivals: any LinkArrivals
        let task: Task<Void, Never>
    }

    private struct State {
        var run: Run?
        var runCount = 0
        var isStarting = false
        var home: Home
    }

    let place: Place
    let identity: NodeIdentity
    let skew = ClockSkew()
    private let world: World
    private let plugins: [any Plugin.Type]
    private let state: Mutex<State>

    /// The device of a person, both of which follow from the seed; it does not run yet.
    init(number: Int, in world: World, plugins: [any Plugin.Type]) throws {
        var generator = SeededGenerator(seed: world.seed &* 1009 &+ UInt64(number))
        let key = DeviceKey(using: &generator)
        let recovery = RecoveryWords(using: &generator).key
        let founding = FoundingRecord(firstDevice: key.id, recoveryKey: recovery.publicKey)
        identity = NodeIdentity(
            key: key, person: try PersonRecord(founding: founding, firstDevice: key))
        place = Place(number: number, device: key.id)
        self.world = world
        self.plugins = plugins
        let home = Home("\(world.directory)/\(number)-0")
        try home.prepare()
        state = Mutex(State(home: home))
    }

    var person: PersonID { identity.person.person }
    var name: String { place.name }

    private var run: Run? { state.withLock { $0.run } }

    /// The run's replica, or nil where none runs.
    var replica: Replica? { run?.node.replica }

    /// Whether a node runs.
    var isUp: Bool { run != nil }

    // MARK: - From start to end

    /// Starts a node on the home, unless one runs or is being started.
    func start() async throws {
        let begun = state.withLock { state -> (Int, Home)? in
            guard state.run == nil, !state.isStarting else { return nil }
            state.isStarting = true
            state.runCount += 1
            return (state.runCount, state.home)
        }
        guard let (number, home) = begun else { return }
        defer { state.withLock { $0.isStarting = false } }
        world.trace.note("\(name) starts")
        // The lock belongs to a process, which here is one for all: its file is enough.
        _ = FileManager.default.createFile(atPath: home.lockFile, contents: nil)
        let transport = SimulatedTransport(place: place, network: world.network)
        let discovery = SimulatedDiscovery(place: place, network: world.network)
        let (_, stopRequest) = AsyncStream.makeStream(of: Never.self)
        let node = try Node(
            settings: try NodeSettings(home: home), identity: identity, plugins: plugins,
            surroundings: Surroundings(
                transport: transport, discovery: discovery,
                clock: SimulatedClock(world.time, skew: skew),
                random: SeededRandom(seed: world.seed &* 7919 &+ UInt64(place.number * 1000 + number)),
                replicaExecutor: SeededExecutor.shared.lane(), logger: logger(number)),
            stopRequest: stopRequest)
        let arrivals = try await transport.listen(port: 0)
        try await node.prepare(port: arrivals.port)
        let task = Task { await node.run(listener: arrivals) }
        state.withLock { state in
            state.run = Run(
                number: number, node: node, transport: transport, discovery: discovery,
                arrivals: arrivals, task: task)
        }
    }

    private func logger(_ run: Int) -> Logger {
        Logger(label: name) { [self] _ in
            SimulatedLog(world: world, name: name) { [weak self] in
                self?.state.withLock { $0.runCount == run } ?? false
            }
        }
    }

    /// Kills the run: what was only in memory is gone, the disk is as it stands at this moment.
    func kill(saysGoodbye: Bool) throws {
        guard let run = takeRun() else { return }
        world.trace.note("\(name) is killed")
        world.count("kills")
        run.transport.kill()
        run.discovery.kill()
        world.network.drop(place, saysGoodbye: saysGoodbye)
        try moveHome()
        run.task.cancel()
    }

    /// Ends the run in good order.
    func stop() async throws {
        guard let run = takeRun() else { return }
        world.trace.note("\(name) stops")
        await run.node.stop(listener: run.arrivals)
        run.task.cancel()
        await run.task.value
        try await run.node.replica.close()
    }

    private func takeRun() -> Run? {
        state.withLock { state in
            defer {
                state.run = nil
                state.runCount += 1
            }
            return state.run
        }
    }

    /// The killed run unwinds on the old home; the next one finds a copy as of the kill.
    private func moveHome() throws {
        let (old, number) = state.withLock { ($0.home, $0.runCount) }
        let new = Home("\(world.directory)/\(place.number)-\(number)")
        try new.prepare()
        for file in try FileManager.default.contentsOfDirectory(atPath: old.directory)
        where !file.hasSuffix("-shm") && file != "lock" {
            try FileManager.default.copyItem(
                atPath: "\(old.directory)/\(file)", toPath: "\(new.directory)/\(file)")
        }
        state.withLock { $0.home = new }
    }

    // MARK: - Commands

    /// Gives a command as the local API does.
    /// - Throws: ``CommandFault``, ``NodeIsGone`` where nobody learns whether it was done.
    @discardableResult
    func perform(
        _ noun: String, _ verb: String, _ arguments: [String: JSONValue] = [:]
    ) async throws -> JSONValue {
        guard let run else { throw NodeIsGone() }
        let service = NodeService(node: run.node)
        guard
            let declaration = service.declarations.first(where: {
                $0.noun == noun && $0.verb == verb
            })
        else { throw CommandFault.notFound("\(noun) \(verb)") }
        do {
            let checked = try Arguments(checking: arguments, against: declaration)
            let answer = try await service.perform(declaration, checked)
            guard self.run?.number == run.number else { throw NodeIsGone() }
            world.trace.note("\(name) did \(noun) \(verb)")
            if declaration.kind == .action { world.count("commands") }
            return answer
        } catch {
            guard self.run?.number == run.number else { throw NodeIsGone() }
            world.trace.note("\(name) did not \(noun) \(verb): \(error)")
            throw error
        }
    }

    /// Rows of the run's replica, past what a plugin may read.
    func rows(_ sql: String, _ arguments: [Value] = []) async throws -> [Row] {
        guard let replica else { throw NodeIsGone() }
        return try await replica.read(sql, arguments, allowedTables: nil)
    }
}

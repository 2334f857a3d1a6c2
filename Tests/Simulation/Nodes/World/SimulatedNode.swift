internal import ControlAPI
internal import Foundation
internal import Identity
internal import Links
internal import Logging
internal import Node
internal import PluginKit
internal import Records
internal import Replica
internal import Synchronization
internal import TestSupport

/// The node is not running, or was killed before it answered a command.
struct NodeIsGone: Error {}

/// One person's device: its home on the disk, and its node, which may run or not.
final class SimulatedNode: CommandPerformer, Sendable {
    /// One run of the node, from its start to its end.
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
        /// The times at which runs ended, by their numbers.
        var ends: [Int: Duration] = [:]
        /// Whether the node is being started or stopped.
        var isBusy = false
        var home: Home
        /// An older copy of the home.
        var copy: String?
        /// All device keys so far, the newest last.
        var devices: [DeviceID]
    }

    let place: Place
    let person: PersonID
    /// The person's recovery words.
    private let words: RecoveryWords
    let skew = ClockSkew()
    private let world: World
    private let plugins: [any Plugin.Type]
    private let state: Mutex<State>

    /// Creates the device of a person, both derived from the seed. It does not run yet.
    init(number: Int, in world: World, plugins: [any Plugin.Type]) throws {
        place = Place(number: number)
        self.world = world
        self.plugins = plugins
        let home = Home("\(world.directory)/\(number)-0")
        var generator = SeededGenerator(seed: world.seed &* 1009 &+ UInt64(number))
        let (identity, words) = try NodeIdentity.create(in: home, using: &generator)
        person = identity.person.person
        self.words = words
        state = Mutex(State(home: home, devices: [identity.key.id]))
    }

    /// Creates another device for a node's person, with a key of its own. It belongs to nobody yet
    /// and does not run.
    init(another first: SimulatedNode, number: Int) throws {
        place = Place(number: number)
        (world, plugins) = (first.world, first.plugins)
        (person, words) = (first.person, first.words)
        let home = Home("\(world.directory)/\(number)-0")
        let key = try Self.makeKey(in: home, seed: world.seed &* 1009 &+ UInt64(number))
        state = Mutex(State(home: home, devices: [key]))
    }

    private static func makeKey(in home: Home, seed: UInt64) throws -> DeviceID {
        try home.prepare()
        var generator = SeededGenerator(seed: seed)
        return try DeviceKeyFile(path: home.deviceKeyFile).loadOrCreate(using: &generator).id
    }

    /// Lets the home wait for the device that shows a code.
    func wait(for code: String) throws {
        world.trace.record("\(name) waits for the device that shows a code")
        _ = try NodeIdentity.join(
            in: state.withLock { $0.home }, by: JoinInvitation(typed: code), at: world.now)
    }

    /// The recovery words, as the person types them.
    var typedWords: String { words.words.joined(separator: " ") }

    /// Whether the home belongs to its person.
    var hasPerson: Bool { state.withLock { $0.home }.hasIdentity }

    var name: String { place.name }
    /// The present key of the device.
    var device: DeviceID { devices[devices.count - 1] }
    /// All keys so far, the newest last.
    var devices: [DeviceID] { state.withLock { $0.devices } }

    /// A number that changes when a run starts or ends.
    var runCount: Int { state.withLock { $0.runCount } }
    /// The time at which a run ended; nil if it has not.
    func endOfRun(_ number: Int) -> Duration? { state.withLock { $0.ends[number] } }
    /// The directory of the files.
    var homeDirectory: String { state.withLock { $0.home.directory } }

    private var run: Run? { state.withLock { $0.run } }

    /// The replica of the run, or nil.
    var replica: Replica? { run?.node.replica }

    /// Writes records past the commands, as a changed program would, and pushes them.
    func author(_ edits: [Edit], in space: SpaceDescriptor) async throws {
        guard let node = run?.node else { throw NodeIsGone() }
        _ = try await node.author(edits, in: space)
    }

    /// Whether the node runs.
    var isUp: Bool { run != nil }
    /// Whether the node is being started or stopped.
    var isBusy: Bool { state.withLock { $0.isBusy } }

    // MARK: - From start to end

    /// Starts a node on the home, unless one runs or is being started.
    func start() async throws {
        let begun = state.withLock { state -> (Int, Home)? in
            guard state.run == nil, !state.isBusy else { return nil }
            state.isBusy = true
            state.runCount += 1
            return (state.runCount, state.home)
        }
        guard let (number, home) = begun else { return }
        defer { state.withLock { $0.isBusy = false } }
        world.trace.record("\(name) starts")
        // The lock belongs to the process, which all nodes share here, so an existing file is
        // enough.
        _ = FileManager.default.createFile(atPath: home.lockFile, contents: nil)
        let (stopRequests, stopRequest) = AsyncStream.makeStream(of: Never.self)
        let run = try await makeRun(number, home, stopRequest)
        state.withLock { $0.run = run }
        Task {
            for await _ in stopRequests {}
            try await beginAnew(number)
        }
    }

    private func makeRun(
        _ number: Int, _ home: Home, _ stopRequest: AsyncStream<Never>.Continuation
    ) async throws -> Run {
        let seed = world.seed &* 7919 &+ UInt64(place.number * 1000 + number)
        var generator = SeededGenerator(seed: seed &+ 1)
        let identity = try NodeIdentity.load(from: home, using: &generator)
        state.withLock { state in
            state.devices.removeAll { $0 == identity.key.id }
            state.devices.append(identity.key.id)
        }
        let transport = SimulatedTransport(
            place: place, device: identity.key.id, network: world.network)
        let discovery = SimulatedDiscovery(place: place, network: world.network)
        let node = try Node(
            settings: try NodeSettings(home: home), identity: identity, plugins: plugins,
            surroundings: Surroundings(
                transport: transport, discovery: discovery,
                clock: SimulatedClock(world.time, skew: skew), random: SeededRandom(seed: seed),
                receiver: { AbsentReceiver(address: "\($0):\($1)") },
                photos: DrawnPhotos(),
                replicaExecutor: SeededExecutor.shared.lane(), diskSpace: EndlessDisk(),
                logger: logger(number)),
            stopRequest: stopRequest)
        let arrivals = try await transport.listen(port: 0)
        try await node.prepare(port: arrivals.port)
        return Run(
            number: number, node: node, transport: transport, discovery: discovery,
            arrivals: arrivals, task: Task { await node.run(listener: arrivals) })
    }

    /// Starts again with the home's new identity, as the run has requested.
    private func beginAnew(_ number: Int) async throws {
        guard let run, run.number == number, await run.node.reasonToBeginAnew != nil else {
            return
        }
        let before = device
        try await stop()
        try await start()
        if device != before { world.count("new keys") }
    }

    private func logger(_ run: Int) -> Logger {
        Logger(label: name) { [self] _ in
            SimulatedLog(world: world, name: name) { [weak self] in
                self?.state.withLock { $0.runCount == run } ?? false
            }
        }
    }

    /// Kills the run: data in memory is lost, and the disk stays as it is.
    func kill(saysGoodbye: Bool) throws {
        guard let run = removeRun() else { return }
        world.trace.record("\(name) is killed")
        world.count("kills")
        run.transport.kill()
        run.discovery.kill()
        world.network.drop(place, saysGoodbye: saysGoodbye)
        try moveHome()
        run.task.cancel()
    }

    /// Ends the run in an orderly way.
    func stop() async throws {
        guard let run = removeRun() else { return }
        state.withLock { $0.isBusy = true }
        defer { state.withLock { $0.isBusy = false } }
        world.trace.record("\(name) stops")
        await run.node.stop(listener: run.arrivals)
        run.task.cancel()
        await run.task.value
        try await run.node.replica.close()
    }

    private func removeRun() -> Run? {
        state.withLock { state in
            defer {
                if let run = state.run { state.ends[run.number] = world.time.now }
                state.run = nil
                state.runCount += 1
            }
            return state.run
        }
    }

    /// Moves to a copy of the home as of the kill, while the killed run ends on the old home.
    private func moveHome() throws {
        let (old, number) = state.withLock { ($0.home, $0.runCount) }
        let new = Home("\(world.directory)/\(place.number)-\(number)")
        try Self.copy(old.directory, to: new.directory)
        state.withLock { $0.home = new }
    }

    private static func copy(
        _ old: String, to new: String, where isWanted: (String) -> Bool = { _ in true }
    ) throws {
        let files = FileManager.default
        try files.createDirectory(
            atPath: new, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        for file in try files.contentsOfDirectory(atPath: old)
        where !file.hasSuffix("-shm") && file != "lock" && isWanted(file) {
            try? files.removeItem(atPath: "\(new)/\(file)")
            try files.copyItem(atPath: "\(old)/\(file)", toPath: "\(new)/\(file)")
        }
    }

    // MARK: - Backups

    /// Destroys the device and all copies of its home. A new one waits in an empty home for the
    /// person of the recovery words.
    func loseHome() throws {
        try kill(saysGoodbye: true)
        world.trace.record("\(name) is lost, and a new device gets the recovery words")
        let number = state.withLock { state in
            state.runCount += 1
            return state.runCount
        }
        let home = Home("\(world.directory)/\(place.number)-new-\(number)")
        let key = try Self.makeKey(
            in: home, seed: world.seed &* 1013 &+ UInt64(place.number * 1000 + number))
        _ = try NodeIdentity.recover(in: home, by: words)
        state.withLock { state in
            (state.home, state.copy) = (home, nil)
            state.devices.append(key)
        }
    }

    /// Stores a copy of the present home, like a backup of the whole disk.
    func keepCopy() throws {
        guard hasPerson else { return }
        let (home, number) = state.withLock { ($0.home, $0.runCount) }
        let copy = "\(world.directory)/\(place.number)-copy-\(number)"
        try? FileManager.default.removeItem(atPath: copy)
        try Self.copy(home.directory, to: copy)
        state.withLock { $0.copy = copy }
    }

    /// Restores the last copy.
    /// - Parameter whole: whether the whole home is restored, so that the node cannot notice it;
    ///   otherwise only its database.
    /// - Returns: false if there is no copy or the node runs.
    func restoreCopy(whole: Bool) throws -> Bool {
        let (home, copy) = state.withLock { ($0.home, $0.copy) }
        guard let copy, !isUp, !isBusy else { return false }
        world.trace.record("\(name) gets its \(whole ? "home" : "database") of before back")
        world.count("restores")
        for file in try FileManager.default.contentsOfDirectory(atPath: home.directory)
        where whole || file.hasPrefix("replica.db") {
            try FileManager.default.removeItem(atPath: "\(home.directory)/\(file)")
        }
        try Self.copy(copy, to: home.directory) { whole || $0.hasPrefix("replica.db") }
        return true
    }

    // MARK: - Commands

    /// Performs a command like the local API.
    /// - Throws: ``CommandFault``, or ``NodeIsGone`` if its result is unknown.
    func answer(
        to command: CommandDeclaration, _ values: [String: JSONValue]
    ) async throws -> JSONValue {
        guard let run else { throw NodeIsGone() }
        do {
            let checked = try Arguments(checking: values, against: command)
            let answer = try await NodeService(node: run.node).perform(command, checked)
            guard self.run?.number == run.number else { throw NodeIsGone() }
            world.trace.record("\(name) did \(command.noun) \(command.verb)")
            if command.kind == .action { world.count("commands") }
            return answer
        } catch {
            guard self.run?.number == run.number else { throw NodeIsGone() }
            world.trace.record("\(name) did not \(command.noun) \(command.verb): \(error)")
            throw error
        }
    }

    /// Returns rows of the run's replica, without the limits for plugins.
    func rows(_ sql: String, _ arguments: [Value] = []) async throws -> [Row] {
        guard let replica else { throw NodeIsGone() }
        return try await replica.read(sql, arguments, allowedTables: nil)
    }
}

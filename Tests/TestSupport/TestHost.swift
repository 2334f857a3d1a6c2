internal import Foundation
internal import Identity
internal import Logging
package import PluginHost
public import PluginKit
public import Records
internal import Replica
internal import Synchronization

/// One person's device with plugins on it: the product's plugin host over a real replica, with a
/// clock, randomness, people nearby and a network that the test controls.
public final class TestHost: Sendable {
    /// The device and its person.
    public let me: Peer
    // The store, in a directory that is removed with the host.
    let replica: Replica
    /// The host's clock, which its network moves.
    public let clock: VirtualClock
    /// The host's randomness, which depends on its seed.
    public let random: SeededRandom
    let record: PersonRecord
    let key: DeviceKey
    let network: TestNetwork
    /// The directory of the replica and the journals.
    public let directory: String
    private let types: [any Plugin.Type]
    let state = Mutex(State())

    struct State {
        /// Nil while the host is stopped.
        var host: PluginHost?
        var runners: [Task<Void, Never>] = []
        var nearby: [NearbyDevice] = []
        var reaches: [AnnouncedTag: NearbyReach] = [:]
        var events: [EventMessage] = []
        var notices: [DesktopNotice] = []
        /// The content that plugins asked for and that is not here.
        var wanted: [(blob: Blob, space: SpaceDescriptor)] = []
        var readsCount = 0
        var rowsCount = 0
        var whereabouts = Whereabouts.unknown
        var ranging = RangingProvider.none
        var questions = RangingQuestions()
        var table = RangeTable()
        var formerDevices: Set<DeviceID> = []
        /// The reason this device may not write, if it may not.
        var unsettled: Sentence?
    }

    /// Creates a host of a person who depends on the seed, running plugins of these types; with
    /// another host, a further device of its person.
    init(
        seed: UInt64, _ types: [any Plugin.Type], on network: TestNetwork,
        as other: TestHost? = nil
    ) async throws {
        var generator = SeededGenerator(seed: seed)
        key = DeviceKey(using: &generator)
        let recovery = RecoveryWords(using: &generator).key
        if let other {
            let consent = try DeviceConsent(of: key, to: other.me.person)
            record = try other.record.adding(DeviceEntry.adding(consent, by: other.key))
        } else {
            record = try PersonRecord(
                founding: FoundingRecord(firstDevice: key.id, recoveryKey: recovery.publicKey),
                firstDevice: key)
        }
        me = Peer(device: key.id, person: record.person)
        clock = VirtualClock()
        random = SeededRandom(seed: seed)
        self.network = network
        self.types = types
        directory = try TestDirectory.make("host")
        let host = try Self.pluginHost(types, in: directory, clock)
        replica = try Replica(
            path: directory + "/replica.db", key: key, collections: host.collections,
            views: host.views, diskSpace: EndlessDisk())
        try await replica.learn(record)
        for space in [SpaceDescriptor.own(me.person), .card(me.person)] {
            try await replica.open(space)
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    private static func pluginHost(
        _ types: [any Plugin.Type], in directory: String, _ clock: VirtualClock
    ) throws -> PluginHost {
        try PluginHost(
            types,
            marker: PluginMarker(directory: directory, plugins: types.map { $0.manifest.id }),
            journals: PluginJournals(directory: directory), clock: clock,
            logger: Logger(label: "test"))
    }

    /// Creates the plugins and starts them. A host that ran before starts again, as after a kill:
    /// all data that was only in memory is lost.
    public func start() async {
        stop()
        let host: PluginHost
        do { host = try Self.pluginHost(types, in: directory, clock) } catch {
            preconditionFailure("the same plugins were taken when the host was made: \(error)")
        }
        host.load(
            on: self, as: me, formerDevices: state.withLock { $0.formerDevices }, random: random)
        let runners = host.longWork.map { work in
            clock.runnerBegan()
            return Task { [clock] in
                await work()
                clock.runnerEnded()
            }
        }
        state.withLock { state in
            state.host = host
            state.runners = runners
        }
        await settle()
    }

    /// Sets the keys under which this device wrote before, from the next start on.
    public func setFormerDevices(_ devices: Set<DeviceID>) {
        state.withLock { $0.formerDevices = devices }
    }

    /// Kills the plugins during their work: messages and deliveries are lost, the replica stays.
    public func stop() {
        let runners = state.withLock { state in
            defer {
                state.runners = []
                state.host = nil
            }
            return state.runners
        }
        for runner in runners { runner.cancel() }
    }

    /// Ends the host for good.
    func close() async {
        stop()
        try? await replica.close()
    }

    /// The plugin host, or nil while the host is stopped.
    var host: PluginHost? { state.withLock { $0.host } }

    /// Returns the running plugin of a type.
    public func plugin<Type: Plugin>(_ type: Type.Type) -> Type? {
        host?.plugins.lazy.compactMap { $0 as? Type }.first
    }

    /// Returns the rows of any table or view, also of those that a plugin may not read.
    public func rows(_ sql: String, _ arguments: [Value] = []) async throws -> [Row] {
        try await replica.read(sql, arguments, allowedTables: nil)
    }

    /// Gives a person a role in a group without the plugins.
    public func grant(_ person: PersonID, in group: SpaceDescriptor) async throws {
        await put(
            try await replica.control(
                [.grant(person, .writer)], in: group.id,
                wallTime: clock.wallTime))
    }

    /// Authors a batch without the plugins, as a changed program on this device could.
    public func write(_ edits: [Edit], in space: SpaceDescriptor) async throws {
        let commit = try await replica.author(
            edits, in: space.id, wallTime: clock.wallTime)
        await put(commit)
    }

    /// Removes what has expired from the open spaces, as a node does from time to time.
    public func prune() async throws {
        let pruned = try await replica.prune(wallTime: clock.wallTime)
        await host?.deliver(CommitNews(changes: pruned.removed), from: replica)
    }

    /// Returns the topics of the events published since the last call.
    public func drainEvents() -> [String] { drainMessages().map(\.topic) }

    /// Returns the bodies of the events of one kind published since the last call, and forgets all
    /// others.
    public func drainEvents<Body>(_ event: Event<Body>) throws -> [Body] {
        try drainMessages().filter { $0.declaration == event.declaration }
            .map { try $0.body.decoded(as: Body.self) }
    }

    /// Returns the notices for the desktop since the last call, whatever became of their items.
    public func drainNotices() -> [DesktopNotice] {
        state.withLock { state in
            defer { state.notices = [] }
            return state.notices
        }
    }

    private func drainMessages() -> [EventMessage] {
        state.withLock { state in
            defer { state.events = [] }
            return state.events
        }
    }

    /// Sets the reason why plugins may not write; nil lets them write.
    public func setUnsettled(_ reason: Sentence?) { state.withLock { $0.unsettled = reason } }

    /// Returns the number of reads that plugins have made since the last call.
    public func resetReadsCount() -> Int {
        state.withLock { state in
            defer { state.readsCount = 0 }
            return state.readsCount
        }
    }

    /// Returns the number of rows that plugins have read since the last call.
    public func resetRowsCount() -> Int {
        state.withLock { state in
            defer { state.rowsCount = 0 }
            return state.rowsCount
        }
    }

    /// The present announcement.
    public var announced: AnnouncedFields { host?.announcement ?? AnnouncedFields() }

    /// Whether devices with a switch on are linked before others.
    public var seeksOthers: Bool { host?.seeksOthers ?? false }

    /// Sets the devices that are near besides those that the network links. Plugins hear of it when
    /// the network settles.
    package func setNearby(_ devices: [NearbyDevice]) {
        state.withLock { $0.nearby = devices }
        host?.deliverNearbyChange()
    }

    /// Sets the devices that are only announced, by tag and fields.
    package func setAnnounced(_ devices: [AnnouncedTag: AnnouncedFields]) {
        setNearby(
            devices.map { tag, fields in
                NearbyDevice(device: nil, person: nil, tag: tag, fields: fields, since: .min)
            })
    }

    /// Sets what comes of dialling the device that announces a tag.
    package func setReach(_ reach: NearbyReach, of tag: AnnouncedTag) {
        state.withLock { $0.reaches[tag] = reach }
    }

    /// Delivers everything that waits, and everything that results from it, until nothing is left.
    func settle() async {
        await clock.untilIdle()
        while let host, host.isWaiting { await host.handOverWaiting() }
    }

    var hasWork: Bool { host?.isWaiting ?? false }

    func put(_ commit: Commit) async {
        let news = CommitNews([commit])
        if host?.concernsRelationships(news.changes) == true { await followNeighbourhoods() }
        await host?.deliver(news, from: replica)
    }

    /// Opens and closes the open spaces that this person joined and left, as a node does.
    private func followNeighbourhoods() async {
        guard let host else { return }
        do {
            let joined = try await host.relationships(replica).neighbourhoods
            let here = await replica.spaces().map(\.descriptor).filter { $0.kind == .open }
            let (fresh, left) = (joined.subtracting(here), Set(here).subtracting(joined))
            for space in fresh { try await replica.open(space) }
            if !left.isEmpty { try await replica.leave(left.map(\.id)) }
            if !fresh.isEmpty || !left.isEmpty { host.deliverNeighbourhoodChange() }
        } catch {
            preconditionFailure("a test's replica opens and closes spaces: \(error)")
        }
    }
    func put(_ message: TopicMessage) { host?.deliver(message) }
    func put(link peer: Peer, isUp: Bool) { host?.deliver(link: peer, isUp: isUp) }
    /// The content that plugins asked for and that is not here.
    package var wanted: [(blob: Blob, space: SpaceDescriptor)] { state.withLock { $0.wanted } }

    /// Delivers content that arrived.
    func put(arrived blob: Blob, in space: SpaceDescriptor) {
        state.withLock { $0.wanted.removeAll { $0.blob == blob && $0.space == space } }
        host?.deliver(content: blob, in: space)
    }

    func put(shared space: SpaceDescriptor, with peer: Peer) {
        host?.deliver(shared: space, with: peer)
    }
    func put(acknowledged space: SpaceDescriptor, by peer: Peer) {
        host?.deliverAcknowledgement(in: space, by: peer)
    }
}

extension TestHost: CommandPerformer {
    /// Performs a command as the local API does: checked against its declaration.
    public func answer(
        to command: CommandDeclaration, _ values: [String: JSONValue]
    ) async throws -> JSONValue {
        guard let host,
            let answer = try await host.perform(
                command, Arguments(checking: values, against: command))
        else {
            throw CommandFault.notFound("There is no command \(command.noun) \(command.verb).")
        }
        return answer
    }
}

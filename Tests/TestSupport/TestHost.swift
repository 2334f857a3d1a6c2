internal import Foundation
internal import Identity
public import PluginKit
public import Records
internal import Replica
internal import Synchronization

/// One person's device with plugins on it: the real replica and the real rules of a manifest,
/// with a clock, chance, people nearby and a network that the test commands.
public final class TestHost: Sendable {
    /// The device and its person.
    public let me: Peer
    // The store, in a directory that goes with the host.
    let replica: Replica
    /// The host's clock, which its network moves.
    public let clock: VirtualClock
    /// The host's chance, which follows from its seed.
    public let random: SeededRandom
    let record: PersonRecord
    let key: DeviceKey
    let network: TestNetwork
    let directory: String
    private let types: [any Plugin.Type]
    private let state = Mutex(State())

    private struct State {
        var plugins: [any Plugin] = []
        var runners: [Task<Void, Never>] = []
        var deliveries: [Delivery] = []
        var openTopics: Set<String> = []
        var people: [NearbyPerson] = []
        var announced: [AnnouncedField] = []
        var events: [String] = []
        var readsCount = 0
        var whereabouts = Whereabouts.unknown
        var formerDevices: Set<DeviceID> = []
    }

    private enum Delivery: Sendable {
        case changes([RecordChange])
        case message(TopicMessage)
        case link(Peer, isUp: Bool)
        case acknowledged(SpaceDescriptor, Peer)
        case members(SpaceDescriptor)
        case whereabouts(Whereabouts)
    }

    /// A host of a person who follows from the seed, running plugins of these types.
    init(seed: UInt64, _ types: [any Plugin.Type], on network: TestNetwork) async throws {
        var generator = SeededGenerator(seed: seed)
        key = DeviceKey(using: &generator)
        let recovery = RecoveryWords(using: &generator).key
        record = try PersonRecord(
            founding: FoundingRecord(firstDevice: key.id, recoveryKey: recovery.publicKey),
            firstDevice: key)
        me = Peer(device: key.id, person: record.person)
        clock = VirtualClock()
        random = SeededRandom(seed: seed)
        self.network = network
        self.types = types
        directory = NSTemporaryDirectory() + "waggle-host-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
        replica = try Replica(
            path: directory + "/replica.db", key: key,
            collections: types.flatMap { $0.manifest.collections },
            views: (types.flatMap { $0.manifest.views }
                + SharedViews.views(over: types.map { $0.manifest })).map {
                    ReplicaView(name: $0.name, sql: $0.sql)
                })
        try await replica.learn(record)
        for space in [SpaceDescriptor.own(me.person), .card(me.person)] {
            try await replica.open(space)
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    /// Makes the plugins and starts them; a host that ran before begins anew, as after a kill:
    /// what was only in memory is gone.
    public func start() async {
        stop()
        let plugins = types.map { type in
            type.init(context: context(of: type.manifest))
        }
        state.withLock { $0.plugins = plugins }
        for plugin in plugins {
            clock.runnerBegan()
            let runner = Task { [clock] in
                do { try await plugin.run() } catch is CancellationError {} catch {
                    Logger(label: "test").error("a plugin failed: \(error)")
                }
                clock.runnerEnded()
            }
            state.withLock { $0.runners.append(runner) }
        }
        await settle()
    }

    /// Makes these the keys under which this device wrote before, from the next start on.
    public func setFormerDevices(_ devices: Set<DeviceID>) {
        state.withLock { $0.formerDevices = devices }
    }

    /// Kills the plugins in mid-step: messages and deliveries are gone, the replica stays.
    public func stop() {
        let runners = state.withLock { state in
            defer {
                state.runners = []
                state.plugins = []
                state.deliveries = []
                state.openTopics = []
                state.announced = []
            }
            return state.runners
        }
        for runner in runners { runner.cancel() }
    }

    /// The running plugin of a type.
    public func plugin<Type: Plugin>(_ type: Type.Type) -> Type? {
        state.withLock { $0.plugins }.lazy.compactMap { $0 as? Type }.first
    }

    /// The plugin that answers for mates, profiles and the inbox.
    var core: (any CorePlugin)? {
        state.withLock { $0.plugins }.lazy.compactMap { $0 as? any CorePlugin }.first
    }

    /// Runs a command as the local API would: checked against its declaration.
    @discardableResult
    public func run(
        _ noun: String, _ verb: String, _ arguments: [String: JSONValue] = [:]
    ) async throws -> JSONValue {
        for plugin in state.withLock({ $0.plugins }) {
            for command in type(of: plugin).commands
            where command.declaration.noun == noun && command.declaration.verb == verb {
                let checked = try Arguments(checking: arguments, against: command.declaration)
                return try await command.perform(plugin, checked)
            }
        }
        throw CommandFault.notFound("There is no command \(noun) \(verb).")
    }

    /// Rows of any table or view, past what a plugin may read.
    public func rows(_ sql: String, _ arguments: [Value] = []) async throws -> [Row] {
        try await replica.read(sql, arguments, allowedTables: nil)
    }

    /// Gives a person a role in a group past the plugins.
    public func grant(_ person: PersonID, in group: SpaceDescriptor) async throws {
        await put(
            try await replica.control(
                [.grant(person, .writer)], in: group.id,
                wallMilliseconds: clock.wallMilliseconds))
    }

    /// Authors a batch past the plugins, as a changed program on this device could.
    public func write(_ edits: [Edit], in space: SpaceDescriptor) async throws {
        let commit = try await replica.author(
            edits, in: space.id, wallMilliseconds: clock.wallMilliseconds)
        await put(commit)
    }

    /// Events published since the last call, as their topics.
    public func takeEvents() -> [String] {
        state.withLock { state in
            defer { state.events = [] }
            return state.events
        }
    }

    /// How many reads plugins have made since the last call.
    public func takeReadsCount() -> Int {
        state.withLock { state in
            defer { state.readsCount = 0 }
            return state.readsCount
        }
    }

    /// What was announced since the start, in order.
    public var announced: [AnnouncedField] { state.withLock { $0.announced } }

    /// Whether a drop can be started with this host now, as announced.
    public var isDropOpen: Bool {
        let last = announced.last { if case .dropOpen = $0 { true } else { false } }
        return last == .dropOpen(true)
    }

    /// Sets who is near beside those the network links.
    public func setNearby(_ people: [NearbyPerson]) { state.withLock { $0.people = people } }

    /// Hands over all that waits, and what comes of it, and returns when nothing is left.
    func settle() async {
        await clock.untilIdle()
        while true {
            let (delivery, plugins) = state.withLock { state in
                (state.deliveries.isEmpty ? nil : state.deliveries.removeFirst(), state.plugins)
            }
            guard let delivery else { return }
            for plugin in plugins { await hand(delivery, to: plugin) }
        }
    }

    var hasWork: Bool { state.withLock { !$0.deliveries.isEmpty } }

    private func hand(_ delivery: Delivery, to plugin: any Plugin) async {
        let manifest = type(of: plugin).manifest
        do {
            switch delivery {
            case .changes(let changes):
                let names = Set(manifest.collections.map(\.name))
                let mine = changes.filter { names.contains($0.collection) }
                if !mine.isEmpty { try await plugin.applied(mine) }
            case .message(let message):
                let topics = message.space == nil ? manifest.directTopics : manifest.ephemeralTopics
                if topics.contains(message.topic) { try await plugin.received(message) }
            case .link(let peer, let isUp): try await plugin.linkChanged(peer, isUp: isUp)
            case .acknowledged(let space, let peer):
                try await plugin.acknowledged(in: space, by: peer)
            case .members(let group):
                if manifest.services.contains(.groups) {
                    try await plugin.membersChanged(in: group)
                }
            case .whereabouts(let whereabouts):
                if manifest.services.contains(.location) { try await plugin.moved(whereabouts) }
            }
        } catch {
            Logger(label: "test").error("\(manifest.id) could not take a delivery: \(error)")
        }
    }

    private func put(_ delivery: Delivery) { state.withLock { $0.deliveries.append(delivery) } }
    func put(_ commit: Commit) async {
        if !commit.changes.isEmpty { put(.changes(commit.changes)) }
        if commit.membershipChanged, let group = await replica.descriptor(of: commit.space) {
            put(.members(group))
        }
    }
    func put(_ message: TopicMessage) {
        let isLetIn = state.withLock { $0.openTopics.contains(message.topic) }
        if message.space != nil || isLetIn { put(.message(message)) }
    }
    func put(link peer: Peer, isUp: Bool) { put(.link(peer, isUp: isUp)) }
    func put(acknowledged space: SpaceDescriptor, by peer: Peer) { put(.acknowledged(space, peer)) }
    func setOpen(_ topic: String, _ isOpen: Bool) {
        state.withLock { state in
            if isOpen { state.openTopics.insert(topic) } else { state.openTopics.remove(topic) }
        }
    }
    var whereabouts: Whereabouts { state.withLock { $0.whereabouts } }
    func setWhereabouts(_ change: (Whereabouts) -> Whereabouts) {
        let whereabouts = state.withLock { state in
            state.whereabouts = change(state.whereabouts)
            return state.whereabouts
        }
        put(.whereabouts(whereabouts))
    }
    func announce(_ field: AnnouncedField) { state.withLock { $0.announced.append(field) } }
    func noteRead() { state.withLock { $0.readsCount += 1 } }
    func publish(_ topic: String) { state.withLock { $0.events.append(topic) } }
    var extraPeople: [NearbyPerson] { state.withLock { $0.people } }

    /// The context a plugin of this manifest gets.
    public func context(of manifest: Manifest) -> PluginContext {
        let services = TestServices(host: self, manifest: manifest)
        return PluginContext(
            me: me.person, device: me.device,
            formerDevices: state.withLock { $0.formerDevices }, replica: services,
            topics: services, events: services, core: services, nearby: services,
            groups: services, location: services, clock: clock, random: random,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }
}

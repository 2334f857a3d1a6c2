internal import Logging
internal import PluginKit
internal import Records
internal import Replica
internal import Synchronization

/// Runs the plugins: makes each with what its manifest permits, hands it what concerns it, and
/// starts it again where it throws.
final class PluginHost: Sendable {
    /// One plugin of this node.
    struct Entry: Sendable {
        let type: any Plugin.Type
        let instance: any Plugin
        let mailbox = Mailbox()

        var manifest: Manifest { type.manifest }
    }

    /// The first pause before a plugin that threw is started again, and the longest.
    static let pauseMin: Duration = .seconds(1)
    static let pauseMax: Duration = .seconds(60)

    let catalogue: [any Plugin.Type]
    private let marker: PluginMarker
    private let clock: any NodeClock
    private let logger: Logger
    private let entries = Mutex<[Entry]>([])
    private let openTopics = Mutex<Set<String>>([])

    /// A host for these plugins; those that trapped too often are left out and named.
    /// - Throws: ``CommandFault/failed(_:)`` where a manifest breaks a rule.
    init(
        _ catalogue: [any Plugin.Type], marker: PluginMarker, clock: any NodeClock, logger: Logger
    ) throws(CommandFault) {
        try ManifestCheck.check(catalogue.map { $0.manifest })
        self.catalogue = catalogue.filter { !marker.isDisabled($0.manifest.id) }
        self.marker = marker
        self.clock = clock
        self.logger = logger
        for type in catalogue where marker.isDisabled(type.manifest.id) {
            logger.error(
                "a plugin brought the node down too often and is disabled",
                metadata: [
                    "plugin": "\(type.manifest.id)",
                    "to try again": "remove plugin-traps.json from the home",
                ])
        }
    }

    /// The collections that all plugins declare.
    var collections: [RecordCollection] { catalogue.flatMap { $0.manifest.collections } }

    /// The views that all plugins declare, in the plugins' order, and those they share.
    var views: [ReplicaView] {
        let manifests = catalogue.map { $0.manifest }
        return (manifests.flatMap(\.views) + SharedViews.views(over: manifests))
            .map { ReplicaView(name: $0.name, sql: $0.sql) }
    }

    /// Makes the plugins, each with its own context.
    func load(_ context: (any Plugin.Type) -> PluginContext) {
        let loaded = catalogue.map { Entry(type: $0, instance: $0.init(context: context($0))) }
        entries.withLock { $0 = loaded }
    }

    private var loaded: [Entry] { entries.withLock { $0 } }

    /// The plugin that answers for mates, profiles and the inbox.
    var core: (any CorePlugin)? {
        loaded.lazy.compactMap { $0.instance as? any CorePlugin }.first
    }

    /// The views that say who is a mate.
    private var provision: Manifest.Provision? {
        catalogue.compactMap { $0.manifest.provides }.first
    }

    // MARK: - Running

    /// Runs every plugin and hands over what comes, until the task is cancelled.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            for entry in loaded {
                group.addTask { await self.keepRunning(entry) }
                group.addTask {
                    await entry.mailbox.handOver { await self.hand($0, to: entry) }
                }
            }
            await group.waitForAll()
        }
    }

    private func keepRunning(_ entry: Entry) async {
        var pause = PluginHost.pauseMin
        while !Task.isCancelled {
            do {
                try await entry.instance.run()
                return
            } catch is CancellationError {
                return
            } catch {
                logger.error(
                    "a plugin failed and is started again",
                    metadata: ["plugin": "\(entry.manifest.id)", "why": "\(error)"])
                do { try await clock.sleep(for: pause) } catch { return }
                pause = min(pause * 2, PluginHost.pauseMax)
            }
        }
    }

    private func hand(_ delivery: Mailbox.Delivery, to entry: Entry) async {
        do {
            switch delivery {
            case .changes(let changes):
                let mine = changes.filter { !marker.isSetAside(entry.manifest.id, $0) }
                guard !mine.isEmpty else { return }
                try await marker.guarding(entry.manifest.id, mine) {
                    try await entry.instance.applied(mine)
                }
            case .message(let message):
                try await marker.guarding(entry.manifest.id) {
                    try await entry.instance.received(message)
                }
            case .link(let peer, let isUp):
                try await entry.instance.linkChanged(peer, isUp: isUp)
            case .acknowledgement(let space, let peer):
                try await entry.instance.acknowledged(in: space, by: peer)
            case .members(let group):
                try await marker.guarding(entry.manifest.id) {
                    try await entry.instance.membersChanged(in: group)
                }
            case .whereabouts(let whereabouts): try await entry.instance.moved(whereabouts)
            }
        } catch {
            logger.error(
                "a plugin could not take what it was handed",
                metadata: ["plugin": "\(entry.manifest.id)", "why": "\(error)"])
        }
    }

    // MARK: - Handing over

    /// Records changed: each plugin hears of its own collections.
    func deliver(_ changes: [RecordChange]) {
        guard !changes.isEmpty else { return }
        for entry in loaded {
            let names = Set(entry.manifest.collections.map(\.name))
            let mine = changes.filter { names.contains($0.collection) }
            if !mine.isEmpty { entry.mailbox.put(mine) }
        }
    }

    /// A message arrived; one on a topic that nobody declared, or that is closed, is dropped.
    func deliver(_ message: TopicMessage) {
        for entry in loaded {
            let topics =
                message.space == nil
                ? entry.manifest.directTopics.filter(isOpen) : entry.manifest.ephemeralTopics
            if topics.contains(message.topic) { entry.mailbox.put(.message(message)) }
        }
    }

    /// A device was linked or lost.
    func deliver(link peer: Peer, isUp: Bool) {
        for entry in loaded { entry.mailbox.put(.link(peer, isUp: isUp)) }
    }

    /// A peer's device has more of a space on its disk.
    func deliverAcknowledgement(in space: SpaceDescriptor?, by peer: Peer) {
        guard let space else { return }
        for entry in loaded
        where entry.manifest.collections.contains(where: {
            $0.spaces.contains(space.kind)
        }) {
            entry.mailbox.put(.acknowledgement(space, peer))
        }
    }

    /// Who is in a group changed.
    func deliver(membersOf group: SpaceDescriptor) {
        for entry in loaded where entry.manifest.services.contains(.groups) {
            entry.mailbox.put(membersOf: group)
        }
    }

    /// The device is somewhere else, or its source says something new.
    func deliver(_ whereabouts: Whereabouts) {
        for entry in loaded where entry.manifest.services.contains(.location) {
            entry.mailbox.put(whereabouts)
        }
    }

    /// Opens or closes a direct topic.
    func setDirect(_ topic: String, isOpen: Bool) {
        openTopics.withLock { topics in
            if isOpen { topics.insert(topic) } else { topics.remove(topic) }
        }
    }

    private func isOpen(_ topic: String) -> Bool { openTopics.withLock { $0.contains(topic) } }

    // MARK: - Asking

    /// Performs a plugin's command.
    /// - Returns: nil where no plugin declares it.
    func perform(
        _ declaration: CommandDeclaration, _ arguments: Arguments
    ) async throws -> JSONValue? {
        for entry in loaded {
            if let command = entry.type.commands.first(where: { $0.declaration == declaration }) {
                return try await command.perform(entry.instance, arguments)
            }
        }
        return nil
    }

    /// Whether changes touch what decides who is a mate.
    func concernsRelations(_ changes: [RecordChange]) -> Bool {
        guard let type = catalogue.first(where: { $0.manifest.provides != nil }) else {
            return false
        }
        let names = Set(type.manifest.collections.map(\.name))
        return changes.contains { names.contains($0.collection) }
    }

    /// How this person stands with others, as the core plugin's views say: one statement, so that
    /// all of it is of one moment.
    func relations(_ replica: Replica) async throws -> Relations {
        guard let views = provision else { return Relations() }
        var relations = Relations()
        let rows = try await replica.read(
            """
            SELECT person, pair_state, NULL AS key, NULL AS descriptor, 0 AS is_blocked
                FROM \(views.relationsView)
            UNION ALL SELECT person, NULL, NULL, NULL, 1 FROM \(views.blockedView)
            UNION ALL SELECT person, NULL, key, NULL, 0 FROM \(views.tagKeysView)
            UNION ALL SELECT person, NULL, NULL, descriptor, 0 FROM \(views.groupsView)
            """, [], allowedTables: nil)
        for row in rows { relations.take(row) }
        return relations
    }
}

extension Relations {
    /// Takes what one row of the views says of a person.
    fileprivate mutating func take(_ row: Row) {
        guard let person = row.person("person") else { return }
        if let state = row.text("pair_state").flatMap(PairState.init) { pairs[person] = state }
        if let key = row.bytes("key") { tagKeys[person] = key }
        if let group = row.descriptor("descriptor") { groups[group, default: []].insert(person) }
        if row.isTrue("is_blocked"), !Planted.blockForgotten.isIn { blocked.insert(person) }
    }
}

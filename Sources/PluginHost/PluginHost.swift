package import Logging
package import PluginKit
package import Records
package import Replica
internal import Synchronization

/// Runs the plugins: creates each with the services that its manifest permits, delivers its events,
/// and starts it again if it throws.
///
/// ```swift
/// let host = try PluginHost(
///     PluginCatalogue.all, marker: marker, journals: journals, clock: clock, logger: logger)
/// let replica = try Replica(…, collections: host.collections, views: host.views)
/// host.load(on: node, as: me, formerDevices: [], random: random)
/// let answer = try await host.perform(WaveCommands.list.declaration, Arguments(NoParameters()))
/// ```
package final class PluginHost: Sendable {
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

    package let catalogue: [any Plugin.Type]
    private let marker: PluginMarker
    private let journals: PluginJournals
    private let clock: any NodeClock
    private let logger: Logger
    private let entries = Mutex<[Entry]>([])
    private let openTopics = Mutex<Set<String>>([])
    let board: Mutex<AnnouncementBoard>
    /// The keys of all announced fields that plugins here declare.
    let announcedKeys: Set<String>
    /// The fields that are shown while a plugin's switch is on.
    let switches: [Switch]

    /// Creates a host for these plugins; plugins that trapped too often are left out and named.
    /// - Throws: ``CommandFault/failed(_:)`` if a manifest breaks a rule.
    package init(
        _ catalogue: [any Plugin.Type], marker: PluginMarker, journals: PluginJournals,
        clock: any NodeClock, logger: Logger
    ) throws(CommandFault) {
        try ManifestCheck.check(catalogue)
        self.catalogue = catalogue.filter { !marker.isDisabled($0.manifest.id) }
        board = Mutex(AnnouncementBoard(self.catalogue.map { $0.manifest }))
        announcedKeys = Set(self.catalogue.flatMap { $0.manifest.announces.map(\.key) })
        switches = self.catalogue.flatMap(Switch.all)
        self.marker = marker
        self.journals = journals
        self.clock = clock
        self.logger = logger
        for type in catalogue where marker.isDisabled(type.manifest.id) {
            logger.error(
                "a plugin crashed the node too often and is disabled",
                metadata: [
                    "plugin": "\(type.manifest.id)",
                    "to try again": "remove plugin-traps.json from the home",
                ])
        }
    }

    /// The collections that all plugins declare.
    package var collections: [RecordCollection] { catalogue.flatMap { $0.manifest.collections } }

    /// The views that all plugins declare, in the plugins' order, and the shared views.
    package var views: [ReplicaView] {
        (catalogue.flatMap { $0.manifest.views } + SharedViews.views(over: catalogue))
            .map { ReplicaView(name: $0.name, sql: $0.sql) }
    }

    /// Creates the plugins, each with the services that its manifest permits.
    /// - Parameters:
    ///   - node: performs what plugins ask for.
    ///   - me: the node's device and its person.
    ///   - formerDevices: the keys under which this device wrote before.
    package func load(
        on node: any NodeServices, as me: Peer, formerDevices: Set<DeviceID>,
        random: any RandomSource
    ) {
        let coreTables = coreType.map { PluginServices.tables(of: $0.manifest) } ?? []
        let loaded = catalogue.map { type in
            let services = PluginServices(
                manifest: type.manifest, coreTables: coreTables, me: me.person, random: random,
                journal: journals.journal(of: type.manifest.id), host: self, node: node)
            var logger = logger
            logger[metadataKey: "plugin"] = "\(type.manifest.id)"
            let context = PluginContext(
                me: me.person, device: me.device, formerDevices: formerDevices,
                replica: services, blobs: services, photos: services, files: services,
                topics: services,
                events: services, core: services,
                nearby: services, groups: services, neighbourhoods: services,
                desktop: services, location: services,
                journal: services, ranging: services, statements: services, clock: clock,
                random: random, logger: logger)
            return Entry(type: type, instance: type.init(context: context))
        }
        entries.withLock { $0 = loaded }
    }

    /// The plugins that were created.
    package var plugins: [any Plugin] { loaded.map(\.instance) }

    private var loaded: [Entry] { entries.withLock { $0 } }

    /// The plugin with the core features: mates, profiles and the inbox.
    package var core: (any CorePlugin)? {
        loaded.lazy.compactMap { $0.instance as? any CorePlugin }.first
    }

    /// The type of that plugin, also before it is created.
    var coreType: (any CorePlugin.Type)? {
        catalogue.lazy.compactMap { $0 as? any CorePlugin.Type }.first
    }

    // MARK: - Running

    /// Runs every plugin and delivers to it until the task is cancelled.
    package func run() async {
        await withTaskGroup(of: Void.self) { group in
            for work in longWork { group.addTask { await work() } }
            for entry in loaded {
                group.addTask {
                    await entry.mailbox.handOver { await self.hand($0, to: entry) }
                }
            }
            await group.waitForAll()
        }
    }

    /// The long work of each plugin. It returns when the plugin's `run` returns or its task is
    /// cancelled.
    package var longWork: [@Sendable () async -> Void] {
        loaded.map { entry in { await self.keepRunning(entry) } }
    }

    /// Delivers waiting events in the caller's task, one plugin after the other: for a caller that
    /// runs the plugins step by step instead of calling ``run()``.
    package func handOverWaiting() async {
        for entry in loaded {
            await entry.mailbox.handOverWaiting { await hand($0, to: entry) }
        }
    }

    /// Whether a delivery waits for any plugin.
    package var isWaiting: Bool { loaded.contains { !$0.mailbox.isEmpty } }

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
            case .shared(let space, let peer):
                try await entry.instance.shared(space, with: peer)
            case .members(let group):
                try await marker.guarding(entry.manifest.id) {
                    try await entry.instance.membersChanged(in: group)
                }
            case .neighbourhoods: try await entry.instance.neighbourhoodsChanged()
            case .content(let blob, let space):
                try await marker.guarding(entry.manifest.id) {
                    try await entry.instance.contentArrived(blob, in: space)
                }
            case .nearby: try await entry.instance.nearbyChanged()
            case .whereabouts(let whereabouts): try await entry.instance.moved(whereabouts)
            case .ranged(let measurements): try await entry.instance.ranged(measurements)
            case .relations: try await entry.instance.relationsChanged()
            case .mutedWords: try await entry.instance.mutedWordsChanged()
            }
        } catch {
            logger.error(
                "a plugin could not process its events",
                metadata: ["plugin": "\(entry.manifest.id)", "why": "\(error)"])
        }
    }

    // MARK: - Handing over

    /// Delivers committed changes: each plugin receives those of its own collections. All are told
    /// that muted words changed. Those that may have groups are told that their members changed.
    package func deliver(_ news: CommitNews, from replica: Replica) async {
        for entry in loaded {
            let names = Set(entry.manifest.collections.map(\.name))
            let mine = news.changes.filter { names.contains($0.collection) }
            if !mine.isEmpty { entry.mailbox.put(mine) }
        }
        if concernsRelationships(news.changes) {
            let services = Set(AgreementPurpose.allCases.map(\.service))
            for entry in loaded where !entry.manifest.services.isDisjoint(with: services) {
                entry.mailbox.putRelationsChange()
            }
        }
        if let muted = coreType?.mutedWords?.collection,
            news.changes.contains(where: { $0.collection == muted })
        {
            for entry in loaded { entry.mailbox.putMutedWordsChange() }
        }
        for space in news.regrouped {
            if let group = await replica.descriptor(of: space) { deliver(membersOf: group) }
        }
    }

    /// Delivers that the members of a group changed, or that it was closed.
    package func deliver(membersOf group: SpaceDescriptor) {
        for entry in loaded where entry.manifest.services.contains(.groups) {
            entry.mailbox.put(membersOf: group)
        }
    }

    /// Delivers that this person joined or left a neighbourhood.
    package func deliverNeighbourhoodChange() {
        for entry in loaded where entry.manifest.services.contains(.neighbourhoods) {
            entry.mailbox.putNeighbourhoodChange()
        }
    }

    /// Delivers a message; one on a topic that is closed or that no plugin declared is dropped.
    package func deliver(_ message: TopicMessage) {
        for entry in loaded {
            let topics =
                message.space == nil
                ? entry.manifest.directTopics.filter(isOpen) : entry.manifest.ephemeralTopics
            if topics.contains(message.topic) { entry.mailbox.put(.message(message)) }
        }
    }

    /// Delivers a link change: a device was linked, or its link was lost.
    package func deliver(link peer: Peer, isUp: Bool) {
        for entry in loaded { entry.mailbox.put(.link(peer, isUp: isUp)) }
    }

    /// Delivers an acknowledgement: a peer's device has stored more of a space.
    package func deliverAcknowledgement(in space: SpaceDescriptor?, by peer: Peer) {
        guard let space else { return }
        for entry in loaded
        where entry.manifest.collections.contains(where: {
            $0.spaces.contains(space.kind)
        }) {
            entry.mailbox.put(.acknowledgement(space, peer))
        }
    }

    /// Delivers that a peer's device and this one now share a space on their link: plugins with
    /// messages to a space's members can reach it.
    package func deliver(shared space: SpaceDescriptor?, with peer: Peer) {
        guard let space else { return }
        for entry in loaded where !entry.manifest.ephemeralTopics.isEmpty {
            entry.mailbox.put(.shared(space, peer))
        }
    }

    /// Delivers that content arrived, to the plugins with a field for it in such a space.
    package func deliver(content blob: Blob, in space: SpaceDescriptor) {
        for entry in loaded where entry.manifest.hasBlobs(of: blob.kind, in: space.kind) {
            entry.mailbox.put(.content(blob, space))
        }
    }

    /// Delivers that people nearby came or went, or announce something else.
    package func deliverNearbyChange() {
        for entry in loaded where entry.manifest.services.contains(.nearby) {
            entry.mailbox.putNearbyChange()
        }
    }

    /// Delivers a new location of this device, or another report of its source.
    package func deliver(_ whereabouts: Whereabouts) {
        for entry in loaded where entry.manifest.services.contains(.location) {
            entry.mailbox.put(whereabouts)
        }
    }

    /// Delivers a measurement to the plugins that ask for measurements.
    package func deliver(_ measurement: RangeMeasurement, to plugins: Set<String>) {
        for entry in loaded where plugins.contains(entry.manifest.id) {
            entry.mailbox.put(measurement)
        }
    }

    /// Logs an event that its plugin does not declare; nobody receives it.
    func logUndeclared(_ message: EventMessage, of plugin: String) {
        logger.error(
            "a plugin's event is missing in its manifest and was not published",
            metadata: ["plugin": "\(plugin)", "topic": "\(message.declaration.topic)"])
    }

    /// Opens or closes a direct topic.
    package func setDirect(_ topic: String, isOpen: Bool) {
        openTopics.withLock { topics in
            if isOpen { topics.insert(topic) } else { topics.remove(topic) }
        }
    }

    private func isOpen(_ topic: String) -> Bool { openTopics.withLock { $0.contains(topic) } }

    // MARK: - Asking

    /// Performs a plugin's command.
    /// - Returns: nil if no plugin declares it.
    package func perform(
        _ declaration: CommandDeclaration, _ arguments: Arguments
    ) async throws -> JSONValue? {
        for entry in loaded {
            if let command = entry.type.commands.first(where: { $0.declaration == declaration }) {
                return try await command.perform(entry.instance, arguments)
            }
        }
        return nil
    }

    /// Whether a command belongs to a plugin.
    func performs(_ declaration: CommandDeclaration, for plugin: String) -> Bool {
        loaded.contains { entry in
            entry.manifest.id == plugin
                && entry.type.commands.contains { $0.declaration == declaration }
        }
    }

    /// The kinds of notices that plugins may show on the desktop, in the plugins' order.
    package var noticeKinds: [Manifest.NoticeKind] { catalogue.flatMap { $0.manifest.notices } }

    /// The topics of the events after which the person's appointments may be others.
    package var appointmentTopics: Set<String> {
        Set(catalogue.flatMap { $0.manifest.appointments.map(\.topic) })
    }

    /// Returns the appointments to come of all plugins, in the order of their times.
    package func appointments() async throws -> [CalendarEvent] {
        var all: [CalendarEvent] = []
        for entry in loaded where !entry.manifest.appointments.isEmpty {
            all += try await entry.instance.appointments()
        }
        return all.sorted { ($0.start, $0.uid) < ($1.start, $1.uid) }
    }

    /// Whether changes concern records that decide relationships.
    package func concernsRelationships(_ changes: [RecordChange]) -> Bool {
        guard let names = coreType?.relationshipCollections else { return false }
        return changes.contains { names.contains($0.collection) }
    }

    /// Asks the core plugin how this person is related to others, as of one moment.
    package func relationships(_ replica: Replica) async throws -> Relationships {
        guard let core = coreType else { return Relationships() }
        return try await replica.readTogether { rows in
            try core.relationships { try rows($0) }
        }
    }
}

internal import PluginKit
internal import Records
internal import Replica

/// What a host does for one plugin, and refuses where its manifest does not declare it.
struct TestServices: Sendable {
    let host: TestHost
    let manifest: Manifest

    private func require(_ service: Manifest.Service) throws {
        guard manifest.services.contains(service) else {
            throw CommandFault.refused("\(manifest.id) does not declare \(service)")
        }
    }

    private func core() throws -> any CorePlugin {
        guard let core = host.core else {
            throw CommandFault.failed("no core plugin runs here")
        }
        return core
    }

    /// The names of tables and views that reads may touch.
    private var readable: Set<String> {
        let core = ["waggle_space", "waggle_log", "waggle_batch", "waggle_acknowledged", "waggle_member"]
        let own = manifest.collections.flatMap(\.tables) + manifest.views.map(\.name)
        return Set(core + own).union(SharedViews.names)
    }
}

extension TestServices: ReplicaAccess {
    func open(_ space: SpaceDescriptor) async throws {
        if space.kind == .group { try require(.groups) }
        try await host.replica.open(space)
    }

    func author(_ edits: [Edit], in space: SpaceDescriptor) async throws -> [EntityID] {
        for edit in edits {
            let isDeclared = manifest.collections.contains {
                $0.name == edit.collection && $0.spaces.contains(space.kind)
            }
            guard isDeclared else {
                throw CommandFault.refused("\(manifest.id) does not declare \(edit.collection)")
            }
        }
        if space.kind == .group { try require(.groups) }
        let commit = try await host.replica.author(
            edits, in: space.id, wallMilliseconds: host.clock.wallMilliseconds)
        await host.put(commit)
        return commit.created
    }

    func rows(_ sql: String, _ arguments: [Value]) async throws -> [Row] {
        host.noteRead()
        return try await host.replica.read(sql, arguments, allowedTables: readable)
    }
}

extension TestServices: TopicAccess {
    func sendEphemeral(
        _ topic: String, _ body: [UInt8], to space: SpaceDescriptor, only people: Set<PersonID>?,
        expiry: Duration
    ) async throws {
        guard manifest.ephemeralTopics.contains(topic) else {
            throw CommandFault.refused("\(manifest.id) does not declare the topic \(topic)")
        }
        try await host.network.send(topic, body, to: space, only: people, from: host)
    }

    func sendDirect(_ topic: String, _ body: [UInt8], to device: DeviceID) async throws {
        guard manifest.directTopics.contains(topic) else {
            throw CommandFault.refused("\(manifest.id) does not declare the topic \(topic)")
        }
        try await host.network.send(topic, body, to: device, from: host)
    }

    func setDirect(_ topic: String, isOpen: Bool) async {
        if manifest.directTopics.contains(topic) { host.setOpen(topic, isOpen) }
    }
}

extension TestServices: EventPublisher {
    func publish(_ topic: String, _ event: JSONValue) async {
        if manifest.events.contains(topic) { host.publish(topic) }
    }
}

extension TestServices: GroupAccess {
    func create() async throws -> SpaceDescriptor {
        let group = SpaceDescriptor.group(owner: host.me.person, nonce: host.random.nonce())
        try await open(group)
        return group
    }

    func invite(
        _ person: PersonID, to group: SpaceDescriptor, as role: Role, named name: String
    ) async throws {
        let core = try core()
        guard try await core.relation(to: person) == .mate else {
            throw CommandFault.refused("Only mates can be invited.")
        }
        let known = await host.replica.members(in: group.id).first { $0.person == person }
        let edits = ControlEdit.giving(role, to: person, known: known)
        if !edits.isEmpty { try await control(edits, in: group) }
        try await core.invited(
            person,
            by: GroupNotice(group: group, feature: manifest.id, name: name, role: role))
    }

    func accept(_ group: SpaceDescriptor) async throws {
        try await control([.accept], in: group)
    }

    func leave(_ group: SpaceDescriptor) async throws {
        try await control([.leave], in: group)
    }

    func remove(_ person: PersonID, from group: SpaceDescriptor) async throws {
        try await control([.cut(person)], in: group)
        try await core().removed(person, from: group)
    }

    private func control(_ edits: [ControlEdit], in group: SpaceDescriptor) async throws {
        try require(.groups)
        await host.put(
            try await host.replica.control(
                edits, in: group.id, wallMilliseconds: host.clock.wallMilliseconds))
    }
}

extension TestServices: LocationAccess {
    func whereabouts() async -> Whereabouts { host.whereabouts }

    func choose(_ source: LocationChoice) async throws {
        try require(.location)
        host.choose(source)
    }

    func place(_ fix: Fix?) async {
        if manifest.services.contains(.location) { host.placeByHand(fix) }
    }
}

extension TestServices: NearbyAccess {
    func people() async -> [NearbyPerson] {
        guard manifest.services.contains(.nearby) else { return [] }
        return await host.network.people(near: host) + host.extraPeople
    }

    func emptyReason() async -> (cause: String, fix: String)? {
        ("The test's network is empty.", "Link two hosts.")
    }

    func announce(_ field: AnnouncedField) async {
        if manifest.services.contains(.nearby) { host.announce(field) }
    }
}

extension TestServices: CoreServices {
    func myCard() async throws -> [String: JSONValue] {
        try require(.mates)
        return try await core().myCard()
    }

    func keptPrivate() async throws -> [String] {
        try require(.mates)
        return try await core().keptPrivate()
    }

    func proposeMate(
        _ person: PersonID, meeting: Bytes16, card: [String: JSONValue]
    ) async throws {
        try require(.mates)
        try await core().proposeMate(person, meeting: meeting, card: card)
    }

    func withdrawMate(_ person: PersonID, meeting: Bytes16) async throws {
        try require(.mates)
        try await core().withdrawMate(person, meeting: meeting)
    }

    func checkedCard(_ card: [String: JSONValue]) async -> [String: JSONValue] {
        await (try? core())?.checkedCard(card) ?? [:]
    }

    func relation(to person: PersonID) async throws -> Relation {
        try await core().relation(to: person)
    }

    func names() async throws -> [PersonID: String] {
        try require(.mates)
        return try await core().names()
    }

    func person(_ text: String, field: String) async throws -> PersonID {
        try require(.mates)
        return try await core().person(text, field: field)
    }

    func inboxReferences(ofKind kind: String) async throws -> [String: Bool] {
        try require(.inbox)
        return try await core().inboxReferences(ofKind: kind)
    }

    func postToInbox(_ item: InboxItem) async throws {
        try require(.inbox)
        try await core().postToInbox(item)
    }

    func settleInbox(reference: String) async throws {
        try require(.inbox)
        try await core().settleInbox(reference: reference)
    }
}

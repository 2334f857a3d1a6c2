internal import Files
package import PluginKit
internal import Records
package import Replica

/// The services of one plugin: every call is checked against its manifest first.
struct PluginServices: Sendable {
    let manifest: Manifest
    /// The person whose node this is.
    let me: PersonID
    let random: any RandomSource
    let journal: JournalFile
    let host: PluginHost
    let node: any NodeServices
    /// The tables and views it may read: its own, the core plugin's and the host's.
    private let readable: Set<String>

    /// Creates the services of a plugin from what any plugin may read and the node's services.
    init(
        manifest: Manifest, coreTables: Set<String>, me: PersonID, random: any RandomSource,
        journal: JournalFile, host: PluginHost, node: any NodeServices
    ) {
        self.manifest = manifest
        self.me = me
        self.random = random
        self.journal = journal
        self.host = host
        self.node = node
        readable = PluginServices.tables(of: manifest).union(coreTables).union(SharedViews.names)
    }

    /// Returns a refusal that names what the manifest lacks.
    func refusal(_ what: String) -> CommandFault {
        .refused("plugin '\(manifest.id)' does not declare \(what) in its manifest")
    }

    func require(_ service: Manifest.Service) throws {
        guard manifest.services.contains(service) else { throw refusal("the service '\(service)'") }
    }

    /// Checks that the manifest declares the service that a kind of space needs beside a
    /// collection, and that this person joined the neighbourhood, if it is one.
    private func require(_ space: SpaceDescriptor) async throws {
        switch space.kind {
        case .group: try require(.groups)
        case .open:
            guard try await joined().contains(where: { $0.space == space }) else {
                throw CommandFault.refused("You have not joined this neighbourhood.")
            }
        case .own, .card, .pair: break
        }
    }

    private func core() throws -> any CorePlugin {
        guard let core = host.core else {
            throw CommandFault.failed("the core plugin is not loaded")
        }
        return core
    }

    /// Returns the names of the tables and views of a manifest's collections.
    static func tables(of manifest: Manifest) -> Set<String> {
        Set(manifest.views.map(\.name) + manifest.collections.flatMap(\.tables))
    }
}

extension PluginServices: ReplicaAccess {
    func requireWritable() async throws { try await node.requireSettledLogs() }

    func open(_ space: SpaceDescriptor) async throws {
        guard manifest.collections.contains(where: { $0.spaces.contains(space.kind) }) else {
            throw refusal("a collection for \(space.kind.name) spaces")
        }
        try await require(space)
        try await node.open(space)
    }

    func author(_ edits: [Edit], in space: SpaceDescriptor) async throws -> [EntityID] {
        for edit in edits {
            guard
                let collection = manifest.collections.first(where: { $0.name == edit.collection }),
                collection.spaces.contains(space.kind)
            else { throw refusal("collection '\(edit.collection)' for \(space.kind.name) spaces") }
        }
        try await require(space)
        do {
            return try await node.author(edits.map { $0.repeatable(in: space) }, in: space)
        } catch let fault as ReplicaFault {
            throw fault.commandFault
        } catch let fault as BatchFault {
            guard let refusal = fault.refusal else { throw fault }
            throw refusal
        }
    }

    func rows(_ sql: String, _ arguments: [Value]) async throws -> [Row] {
        try await node.read(sql, arguments, allowedTables: readable)
    }
}

extension PluginServices: TopicAccess {
    func sendEphemeral(
        _ topic: String, _ body: [UInt8], to space: SpaceDescriptor, only people: Set<PersonID>?,
        expiry: Duration
    ) async throws {
        guard manifest.ephemeralTopics.contains(topic) else { throw refusal("topic '\(topic)'") }
        try await node.sendEphemeral(
            topic, body, to: space, only: people, expiry: expiry)
    }

    func sendDirect(_ topic: String, _ body: [UInt8], to device: DeviceID) async throws {
        guard manifest.directTopics.contains(topic) else { throw refusal("topic '\(topic)'") }
        try await node.sendDirect(topic, body, to: device)
    }

    func setDirect(_ topic: String, isOpen: Bool) async {
        guard manifest.directTopics.contains(topic) else { return }
        host.setDirect(topic, isOpen: isOpen)
    }
}

extension PluginServices: EventPublisher {
    func publish(_ message: EventMessage) async {
        guard manifest.events.contains(message.declaration) else {
            return host.logUndeclared(message, of: manifest.id)
        }
        await node.publish(message)
    }
}

extension PluginServices: DesktopAccess {
    func notify(_ notice: DesktopNotice) async throws {
        guard manifest.notices.contains(where: { $0.kind == notice.subject.kind }) else {
            throw refusal("notices of the kind '\(notice.subject.kind)'")
        }
        for action in notice.actions where !host.performs(action.command, for: manifest.id) {
            throw refusal("the command '\(action.command.noun) \(action.command.verb)'")
        }
        await node.notify(notice)
    }
}

extension PluginServices: CoreServices {
    func myCard() async throws -> ProfileFields {
        try require(.mates)
        return try await core().myCard()
    }

    func myThumbnail() async throws -> [UInt8]? {
        try require(.mates)
        return try await core().myThumbnail()
    }

    func keptPrivate() async throws -> [OptionalField] {
        try require(.mates)
        return try await core().keptPrivate()
    }

    func proposeMate(
        _ person: PersonID, meeting: Bytes16, card: ProfileFields
    ) async throws {
        try require(.mates)
        try await core().proposeMate(person, meeting: meeting, card: card)
    }

    func withdrawMate(_ person: PersonID, meeting: Bytes16) async throws {
        try require(.mates)
        try await core().withdrawMate(person, meeting: meeting)
    }

    func storeFact(
        _ fact: AgreementFact, of purpose: AgreementPurpose, with person: PersonID
    ) async throws {
        try require(purpose.service)
        try await core().storeFact(fact, of: purpose, with: person)
    }

    func endAgreement(
        _ id: Bytes16, of purpose: AgreementPurpose, with person: PersonID, isCancel: Bool,
        isKnown: Bool
    ) async throws {
        try require(purpose.service)
        try await core().endAgreement(
            id, of: purpose, with: person, isCancel: isCancel, isKnown: isKnown)
    }

    func agreements(of purpose: AgreementPurpose) async throws -> [StoredAgreement] {
        try require(purpose.service)
        return try await core().agreements(of: purpose)
    }

    func checkedCard(_ card: ProfileFields) async -> ProfileFields {
        await host.core?.checkedCard(card) ?? ProfileFields()
    }

    func relation(to person: PersonID) async throws -> Relation {
        try await core().relation(to: person)
    }

    func names() async throws -> [PersonID: String] {
        try require(.mates)
        return try await core().names()
    }

    func namesNearby() async throws -> [String: String] {
        try require(.nearby)
        return try await core().namesNearby()
    }

    func person(_ wanted: NameOrKey) async throws -> PersonID {
        try require(.mates)
        return try await core().person(wanted)
    }

    func joinedNeighbourhoods() async throws -> [Neighbourhood] { try await joined() }

    func inboxReferences(
        ofKind kind: InboxKind, among wanted: Set<String>?
    ) async throws -> [String: Bool] {
        try require(.inbox)
        return try await core().inboxReferences(ofKind: kind, among: wanted)
    }

    func postToInbox(_ item: InboxItem) async throws {
        try require(.inbox)
        try await core().postToInbox(item)
    }

    func showInInbox(_ item: InboxItem) async throws {
        try require(.inbox)
        try await core().showInInbox(item)
    }

    func settleInbox(reference: String) async throws {
        try require(.inbox)
        try await core().settleInbox(reference: reference)
    }

    func updateInbox(
        ofKind kind: InboxKind, isTrue: Set<String>, isOver: Set<String>
    ) async throws {
        try require(.inbox)
        try await core().updateInbox(ofKind: kind, isTrue: isTrue, isOver: isOver)
    }
}

extension PluginServices: GroupAccess {
    func create() async throws -> SpaceDescriptor {
        let nonce = PerformedAction.current?.nonce(in: "group") ?? random.nonce()
        let group = SpaceDescriptor.group(owner: me, nonce: nonce)
        try await open(group)
        try await core().made(group)
        return group
    }

    func invite(
        _ person: PersonID, to group: SpaceDescriptor, as role: Role, named name: String
    ) async throws {
        try require(.groups)
        let core = try core()
        guard try await core.relation(to: person) == .mate else {
            throw CommandFault.refused(
                "Only mates can be invited; meet this person first.")
        }
        let known = await node.members(of: group).first { $0.person == person }
        let edits = ControlEdit.giving(role, to: person, known: known)
        if !edits.isEmpty { try await node.control(edits, in: group) }
        try await core.invited(
            person,
            by: GroupNotice(group: group, feature: manifest.id, name: name, role: role))
    }

    func accept(_ group: SpaceDescriptor) async throws {
        try require(.groups)
        try await node.control([.accept], in: group)
    }

    func leave(_ group: SpaceDescriptor) async throws {
        try require(.groups)
        try await node.control([.leave], in: group)
    }

    func remove(_ person: PersonID, from group: SpaceDescriptor) async throws {
        try require(.groups)
        try await node.control([.cut(person)], in: group)
        try await core().removed(person, from: group)
    }

    func close(_ groups: [SpaceDescriptor]) async throws {
        try require(.groups)
        try await node.close(groups.filter { $0.kind == .group })
    }
}

extension PluginServices: NeighbourhoodAccess {
    func joined() async throws -> [Neighbourhood] {
        try require(.neighbourhoods)
        return try await core().joinedNeighbourhoods()
    }

    func bytesLeftToday(in space: SpaceDescriptor) async throws -> Int {
        try require(.neighbourhoods)
        return try await node.dayBytesLeft(in: space) ?? Limits.openDayBytesMax
    }
}

extension PluginServices: LocationAccess {
    func whereabouts() async -> Whereabouts {
        guard manifest.services.contains(.location) else { return .unknown }
        return await node.whereabouts
    }

    func choose(_ source: LocationChoice) async throws {
        try require(.location)
        try await node.choose(source)
    }

    func setByHand(_ fix: Fix?) async {
        guard manifest.services.contains(.location) else { return }
        await node.setByHand(fix)
    }
}

extension ReplicaFault {
    /// The same fault for the person or program that gave a command.
    package var commandFault: CommandFault { .failed(sentence) }
}

extension BatchFault {
    /// The fault for the person who writes; nil if only the batches of others can have it.
    fileprivate var refusal: CommandFault? {
        switch self {
        case .ownRoomUsed(let limitBytes):
            .refused(
                "what you wrote here takes \(limitBytes / 1_048_576) MiB, and others store no more "
                    + "of it: erase some of it first")
        case .ownDayUsed:
            .refused(
                "what you wrote here today is as much as others store of one person in a day: "
                    + "write again after midnight UTC")
        case .mayOnlyRead: .refused("You may read here, but not write.")
        case .notAccepted: .refused("Accept the invitation before you write here.")
        case .tooLong, .tooManyOperations:
            .refused("This is too much for one change. Make several smaller ones.")
        default: nil
        }
    }
}

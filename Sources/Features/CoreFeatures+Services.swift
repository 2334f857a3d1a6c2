internal import FeaturesAPI
public import PluginKit

// The services of the features for every plugin.
extension CoreFeatures {
    /// Returns the fields of my profile that a card carries.
    public func myCard() async throws -> ProfileFields { try await profiles.myCard() }

    /// Returns the thumbnail of my photo, if I show it.
    public func myThumbnail() async throws -> [UInt8]? {
        guard let photo = try await profiles.photos.mine(), !photo.isPrivate else { return nil }
        return photo.thumbnail?.jpeg
    }

    /// Returns the profile's fields that I keep private.
    public func keptPrivate() async throws -> [OptionalField] {
        try await profiles.keptPrivate()
    }

    /// Returns the part of a card from outside that may be shown.
    public func checkedCard(_ card: ProfileFields) async -> ProfileFields {
        Profile(card: card).fields
    }

    /// Writes my edge to a person whose card I accepted.
    public func proposeMate(
        _ person: PersonID, meeting: Bytes16, card: ProfileFields
    ) async throws {
        try await mates.propose(person, meeting: meeting, card: Profile(card: card))
    }

    /// Ends a meeting that will not become a mateship.
    public func withdrawMate(_ person: PersonID, meeting: Bytes16) async throws {
        try await mates.withdraw(person, meeting: meeting)
    }

    /// Stores my fact of an agreement.
    public func storeFact(
        _ fact: AgreementFact, of purpose: AgreementPurpose, with person: PersonID
    ) async throws {
        try await agreements.store(fact, of: purpose, with: person)
    }

    /// Ends an agreement.
    public func endAgreement(
        _ id: Bytes16, of purpose: AgreementPurpose, with person: PersonID, isCancel: Bool,
        isKnown: Bool
    ) async throws {
        try await agreements.end(
            id, of: purpose, with: person, isCancel: isCancel, isKnown: isKnown)
    }

    /// Returns all agreements of a purpose of which my fact is stored.
    public func agreements(of purpose: AgreementPurpose) async throws -> [StoredAgreement] {
        try await agreements.all(of: purpose)
    }

    /// Returns how I am related to a person.
    public func relation(to person: PersonID) async throws -> Relation {
        try await mates.relation(to: person)
    }

    /// Returns the names of the people I know.
    public func names() async throws -> [PersonID: String] {
        try await mates.directory.names()
    }

    /// Returns the names of the people nearby, by the digits of their device or tag.
    public func namesNearby() async throws -> [String: String] { try await nearby.names() }

    /// Returns the mate that a command's parameter names, or any person by the whole key.
    public func person(_ wanted: NameOrKey) async throws -> PersonID {
        try await mates.directory.person(wanted)
    }

    /// Returns the mate that a command's parameter names, or any person by the whole key, or a
    /// person nearby by the first digits of it.
    func someone(_ wanted: NameOrKey) async throws -> PersonID {
        try await mates.directory.person(wanted, or: nearby.persons())
    }

    /// Returns the neighbourhoods that this person joined.
    public func joinedNeighbourhoods() async throws -> [Neighbourhood] {
        try await neighbourhoods.joined().map {
            Neighbourhood(space: $0.descriptor, name: $0.name.string)
        }
    }

    /// Puts an item into the inbox.
    public func postToInbox(_ item: InboxItem) async throws { try await inbox.post(item) }

    /// Shows an item in the inbox without storing it.
    public func showInInbox(_ item: InboxItem) async throws { try await inbox.show(item) }

    /// Returns the references of one kind that were ever put into the inbox, and whether they were
    /// handled.
    public func inboxReferences(
        ofKind kind: InboxKind, among wanted: Set<String>?
    ) async throws -> [String: Bool] {
        try await inbox.references(ofKind: kind, among: wanted)
    }

    /// Marks the stored inbox items of a reference as handled, and removes the shown ones.
    public func settleInbox(reference: String) async throws {
        try await inbox.settle(reference: reference)
    }

    /// Settles the inbox items of one kind that are not true any more, and remembers those that
    /// are.
    public func updateInbox(
        ofKind kind: InboxKind, isTrue: Set<String>, isOver: Set<String>
    ) async throws {
        try await inbox.update(ofKind: kind, isTrue: isTrue, isOver: isOver)
    }
}

// The services of the features for the engine.
extension CoreFeatures {
    /// The collections of edges, ends, blocks, cards and invitations.
    public static let relationshipCollections: Set<String> =
        Mates.relationCollections.union(Agreements.collectionNames).union([
            Profiles.profile.name, Groups.notice.name, Neighbourhoods.neighbourhood.name,
        ])

    /// Returns mates, blocked people, the keys of announcements, and the members of each group.
    public static func relationships(
        reading rows: (_ sql: String) throws -> [Row]
    ) throws -> Relationships {
        var relationships = Relationships()
        try Mates.add(to: &relationships, reading: rows)
        try Agreements.add(to: &relationships, reading: rows)
        try Profiles.add(to: &relationships, reading: rows)
        try Groups.add(to: &relationships, reading: rows)
        try Neighbourhoods.add(to: &relationships, reading: rows)
        return relationships
    }

    /// Tells my other devices of a group that was made here.
    public func made(_ group: SpaceDescriptor) async throws { try await groups.made(group) }

    /// Tells a mate that they received a role in a group.
    public func invited(_ person: PersonID, by notice: GroupNotice) async throws {
        try await groups.notices.tell(person, .invited, notice)
    }

    /// Tells a mate that they were removed from a group.
    public func removed(_ person: PersonID, from group: SpaceDescriptor) async throws {
        try await groups.tellRemoved(person, from: group)
    }

    /// Tells me that a mate has come back on a new device.
    public func returned(_ person: PersonID) async throws {
        try await mates.returning.tell(of: person)
    }

    /// Returns the names of my devices.
    public func deviceNames() async throws -> [DeviceID: String] { try await devices.names() }

    /// Names one of my devices.
    public func nameDevice(_ device: DeviceID, _ name: String) async throws {
        try await devices.rename(device, to: name)
    }

    /// Changes the key of my devices' tags, which mates receive with my card.
    public func changeTagKey() async throws { try await profiles.rotateTagKey() }

    /// Returns the edits that end every mateship, proposal and agreement of mine.
    public func farewells() async throws -> [Farewell] {
        try await mates.farewells() + agreements.farewells()
    }
}

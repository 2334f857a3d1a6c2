public import PluginKit
import Records

/// The smallest core plugin: each person that it befriends is a mate.
public actor Friendly: CorePlugin {
    /// See ``CorePlugin``.
    public static let manifest = Manifest(
        id: "friendly", version: 1,
        collections: [
            RecordCollection(
                "friendly.friend/1", table: "friendly_friend", spaces: [.own, .pair, .card],
                fields: [.init(1, "person", .key, merge: .append)]),
            RecordCollection(
                "friendly.muted/1", table: "friendly_muted", spaces: [.own],
                fields: [.init(1, "word", .text(bytesMax: 100), merge: .append)]),
        ],
        views: [
            Manifest.View("friendly_mates", "SELECT person FROM friendly_friend"),
            Manifest.View("friendly_blocked", "SELECT person FROM friendly_friend WHERE 0"),
            Manifest.View("friendly_words", "SELECT word FROM friendly_muted"),
        ])

    /// See ``CorePlugin``.
    public static let people = PeopleNaming(
        matesView: "friendly_mates", blockedView: "friendly_blocked")

    /// See ``CorePlugin``.
    public static let mutedWords: MutedWordsNaming? = MutedWordsNaming(
        collection: "friendly.muted/1", view: "friendly_words")

    private let context: PluginContext
    /// The items that were posted to the inbox.
    public private(set) var items: [InboxItem] = []

    /// See ``CorePlugin``.
    public init(context: PluginContext) { self.context = context }

    /// See ``CorePlugin``.
    public static let relationshipCollections: Set = ["friendly.friend/1"]

    /// See ``CorePlugin``.
    public static func relationships(
        reading rows: (_ sql: String) throws -> [Row]
    ) throws -> Relationships {
        var relationships = Relationships()
        for row in try rows("SELECT person FROM friendly_friend") {
            if let person = row.person("person") { relationships.add(.mate, with: person) }
        }
        let members = try rows(
            """
            SELECT s.descriptor AS descriptor, m.person AS person
            FROM waggle_member m JOIN waggle_space s ON s.space = m.space
            WHERE s.kind = 'group'
            """)
        for row in members {
            guard let group = row.descriptor("descriptor"), let person = row.person("person")
            else { continue }
            relationships.groups[group, default: []].insert(person)
        }
        return relationships
    }

    /// See ``CorePlugin``.
    public func returned(_ person: PersonID) {}
    /// See ``CorePlugin``.
    public func deviceNames() -> [DeviceID: String] { [:] }
    /// See ``CorePlugin``.
    public func nameDevice(_ device: DeviceID, _ name: String) {}
    /// See ``CorePlugin``.
    public func changeTagKey() {}
    /// See ``CorePlugin``.
    public func farewells() -> [Farewell] { [] }

    /// Makes a person a mate.
    public func befriend(_ person: PersonID) async throws {
        try await context.replica.author(
            [
                .create(
                    collection: "friendly.friend/1", nonce: context.random.nonce(),
                    fields: ["person": .bytes(person.bytes)])
            ], in: .own(context.me))
        try await context.replica.open(.between(context.me, person))
        try await context.replica.open(.card(person))
    }

    /// Mutes a word.
    public func mute(_ word: String) async throws {
        try await context.replica.author(
            [
                .create(
                    collection: "friendly.muted/1", nonce: context.random.nonce(),
                    fields: ["word": .text(word)])
            ], in: .own(context.me))
    }

    /// See ``CorePlugin``.
    public func myCard() async throws -> ProfileFields { ProfileFields() }
    /// See ``CorePlugin``.
    public func myThumbnail() async throws -> [UInt8]? { nil }
    /// See ``CorePlugin``.
    public func keptPrivate() async throws -> [OptionalField] { [] }
    /// See ``CorePlugin``.
    public func checkedCard(_ card: ProfileFields) async -> ProfileFields { card }
    /// See ``CorePlugin``.
    public func proposeMate(
        _ person: PersonID, meeting: Bytes16, card: ProfileFields
    ) async throws { try await befriend(person) }
    /// See ``CorePlugin``.
    public func withdrawMate(_ person: PersonID, meeting: Bytes16) async throws {}
    /// See ``CoreServices``.
    public func storeFact(
        _ fact: AgreementFact, of purpose: AgreementPurpose, with person: PersonID
    ) async throws {}
    /// See ``CoreServices``.
    public func endAgreement(
        _ id: Bytes16, of purpose: AgreementPurpose, with person: PersonID, isCancel: Bool,
        isKnown: Bool
    ) async throws {}
    /// See ``CoreServices``.
    public func agreements(of purpose: AgreementPurpose) async throws -> [StoredAgreement] { [] }
    /// See ``CorePlugin``.
    public func relation(to person: PersonID) async throws -> Relation {
        let rows = try await context.replica.rows(
            "SELECT person FROM friendly_friend WHERE person = ?", [.bytes(person.bytes)])
        return rows.isEmpty ? .stranger : .mate
    }
    /// See ``CorePlugin``.
    public func joinedNeighbourhoods() async throws -> [Neighbourhood] { [] }
    /// See ``CorePlugin``.
    public func names() async throws -> [PersonID: String] { [:] }

    /// See ``CoreServices``.
    public func namesNearby() async throws -> [String: String] { [:] }
    /// See ``CorePlugin``.
    public func person(_ prefix: NameOrKey) async throws -> PersonID {
        guard let person = PersonID(prefix.string) else {
            throw CommandFault.notFound("This is no whole key.")
        }
        return person
    }
    /// See ``CorePlugin``.
    public func inboxReferences(
        ofKind kind: InboxKind, among wanted: Set<String>?
    ) async throws -> [String: Bool] {
        Dictionary(
            items.filter { $0.kind == kind && wanted?.contains($0.reference) ?? true }
                .map { ($0.reference, false) },
            uniquingKeysWith: { $1 })
    }
    /// See ``CorePlugin``.
    public func postToInbox(_ item: InboxItem) async throws { items.append(item) }
    /// See ``CorePlugin``.
    public func showInInbox(_ item: InboxItem) async throws { items.append(item) }
    /// See ``CorePlugin``.
    public func made(_ group: SpaceDescriptor) async throws {}
    /// See ``CorePlugin``.
    public func invited(_ person: PersonID, by notice: GroupNotice) async throws {}
    /// See ``CorePlugin``.
    public func removed(_ person: PersonID, from group: SpaceDescriptor) async throws {}
    /// See ``CorePlugin``.
    public func settleInbox(reference: String) async throws {
        items.removeAll { $0.reference == reference }
    }
    /// See ``CorePlugin``.
    public func updateInbox(
        ofKind kind: InboxKind, isTrue: Set<String>, isOver: Set<String>
    ) async throws {
        items.removeAll { $0.kind == kind && isOver.contains($0.reference) }
    }
}

import PluginKit
import Records

/// The smallest core plugin: whom it is told to befriend is a mate.
actor Friendly: CorePlugin {
    static let manifest = Manifest(
        id: "friendly", version: 1,
        collections: [
            RecordCollection(
                "friendly.friend/1", table: "friendly_friend", spaces: [.own],
                fields: [.init(1, "person", .key, merge: .append)])
        ],
        views: [
            Manifest.View(
                "friendly_relations", "SELECT person, 'mate' AS pair_state FROM friendly_friend"),
            Manifest.View("friendly_blocked", "SELECT person FROM friendly_friend WHERE 0"),
            Manifest.View("friendly_keys", "SELECT person, person AS key FROM friendly_friend"),
            Manifest.View(
                "friendly_groups",
                """
                SELECT s.descriptor AS descriptor, m.person AS person
                FROM waggle_member m JOIN waggle_space s ON s.space = m.space
                WHERE s.kind = 'group'
                """),
        ],
        provides: Manifest.Provision(
            relationsView: "friendly_relations", blockedView: "friendly_blocked",
            tagKeysView: "friendly_keys", groupsView: "friendly_groups"))

    private let context: PluginContext
    /// What was posted to the inbox.
    private(set) var items: [InboxItem] = []

    init(context: PluginContext) { self.context = context }

    func farewells() -> [Farewell] { [] }

    /// Makes a mate of somebody.
    func befriend(_ person: PersonID) async throws {
        try await context.replica.author(
            [
                .create(
                    collection: "friendly.friend/1", nonce: context.random.nonce(),
                    fields: ["person": .bytes(person.bytes)])
            ], in: .own(context.me))
        try await context.replica.open(.between(context.me, person))
        try await context.replica.open(.card(person))
    }

    func myCard() async throws -> [String: JSONValue] { [:] }
    func keptPrivate() async throws -> [String] { [] }
    func checkedCard(_ card: [String: JSONValue]) async -> [String: JSONValue] { card }
    func proposeMate(
        _ person: PersonID, meeting: Bytes16, card: [String: JSONValue]
    ) async throws { try await befriend(person) }
    func withdrawMate(_ person: PersonID, meeting: Bytes16) async throws {}
    func relation(to person: PersonID) async throws -> Relation {
        let rows = try await context.replica.rows(
            "SELECT person FROM friendly_friend WHERE person = ?", [.bytes(person.bytes)])
        return rows.isEmpty ? .stranger : .mate
    }
    func names() async throws -> [PersonID: String] { [:] }
    func person(_ text: String, field: String) async throws -> PersonID {
        guard let person = PersonID(text) else {
            throw CommandFault.usage("This is no key.", field: field)
        }
        return person
    }
    func inboxReferences(ofKind kind: String) async throws -> [String: Bool] {
        Dictionary(
            items.filter { $0.kind == kind }.map { ($0.reference, false) },
            uniquingKeysWith: { $1 })
    }
    func postToInbox(_ item: InboxItem) async throws { items.append(item) }
    func invited(_ person: PersonID, by notice: GroupNotice) async throws {}
    func removed(_ person: PersonID, from group: SpaceDescriptor) async throws {}
    func settleInbox(reference: String) async throws {
        items.removeAll { $0.reference == reference }
    }
}

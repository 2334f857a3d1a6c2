/// The core's one door: everything that the engine asks of the core features.
///
/// The engine needs to know which spaces it shares with which people, and has groups and departures
/// announced to the people they concern. It asks the plugin that implements this protocol, which
/// the host finds by its type, and reads no feature's tables or views by name.
public protocol CoreDoor: Sendable {
    /// The names of the collections that decide relationships: when a record of one of them
    /// changes, the engine asks again.
    static var relationshipCollections: Set<String> { get }
    /// The views of the core that every plugin reads in ``SharedViews``.
    static var people: PeopleNaming { get }
    /// The core's record of muted words, which every plugin reads with
    /// ``ReplicaAccess/mutedWords()``; nil if the core has none.
    static var mutedWords: MutedWordsNaming? { get }
    /// Returns how this person is related to others.
    /// - Parameter rows: reads rows of a `SELECT` over the core's tables and views. All calls see
    ///   one moment of the database.
    static func relationships(
        reading rows: (_ sql: String) throws -> [Row]
    ) throws -> Relationships
    /// Tells this person's other devices of a group that was made here.
    func made(_ group: SpaceDescriptor) async throws
    /// Tells a mate that they received a role in a group, and sends the data that opens it on their
    /// device.
    func invited(_ person: PersonID, by notice: GroupNotice) async throws
    /// Tells a person that they were removed from a group, if they are a mate: the group itself no
    /// longer sends them anything.
    func removed(_ person: PersonID, from group: SpaceDescriptor) async throws
    /// Tells me that a person has come back on a new device by their recovery words, if they are a
    /// mate. Stolen words look the same.
    func returned(_ person: PersonID) async throws
    /// Returns the names of my devices; those without a name are left out.
    func deviceNames() async throws -> [DeviceID: String]
    /// Names one of my devices. Only my devices see the name.
    func nameDevice(_ device: DeviceID, _ name: String) async throws
    /// Changes the key of my devices' tags, so that a removed device recognises none of them, and
    /// is recognised by nobody who has the new card.
    func changeTagKey() async throws
    /// Returns the edits that end each of my mateships. They are written when my edges are gone, so
    /// that no mate regards me as a person who has not answered yet.
    func farewells() async throws -> [Farewell]
}

/// The plugin with the core features: the engine's door and every plugin's services.
public protocol CorePlugin: Plugin, CoreServices, CoreDoor {}

/// The views of the core plugin that name mates and blocked people.
public struct PeopleNaming: Hashable, Sendable {
    /// A view of the core's manifest with the column `person`: my mates.
    public let matesView: String
    /// A view of the core's manifest with the column `person`: the people I blocked.
    public let blockedView: String
    /// A view of the core's manifest with the columns `purpose` (of ``AgreementPurpose``),
    /// `person`, `stands` and `was_mate`: the people of my agreements, whether one stands, and
    /// whether they are or were a mate; nil if the core has none.
    public let agreementsView: String?

    /// Names the views.
    public init(matesView: String, blockedView: String, agreementsView: String? = nil) {
        self.matesView = matesView
        self.blockedView = blockedView
        self.agreementsView = agreementsView
    }
}

/// The names under which the core plugin stores muted words.
public struct MutedWordsNaming: Hashable, Sendable {
    /// The collection with a record for each word. When one changes, the host calls
    /// ``Plugin/mutedWordsChanged()``.
    public let collection: String
    /// A view of the core's manifest with the column `word`.
    public let view: String

    /// Names the collection and the view.
    public init(collection: String, view: String) {
        self.collection = collection
        self.view = view
    }
}

/// The last edits for one mate.
public struct Farewell: Hashable, Sendable {
    /// The space that the two people share.
    public let space: SpaceDescriptor
    /// The edits to write there.
    public let edits: [Edit]

    /// Creates a farewell from a space and the edits for it.
    public init(space: SpaceDescriptor, edits: [Edit]) {
        self.space = space
        self.edits = edits
    }
}

/// One record that a committed batch touched, told to the plugin that owns the collection.
public struct RecordChange: Hashable, Sendable {
    public let entity: EntityID
    private let origin: Origin

    /// What many changes of one commit share. There may be very many at once, so they share it in
    /// memory too.
    private final class Origin: Equatable, Sendable {
        let collection: String
        let space: SpaceDescriptor
        let author: PersonID
        let isOwn: Bool

        init(_ collection: String, _ space: SpaceDescriptor, _ author: PersonID, isOwn: Bool) {
            self.collection = collection
            self.space = space
            self.author = author
            self.isOwn = isOwn
        }

        static func == (left: Origin, right: Origin) -> Bool {
            left === right
                || left.collection == right.collection && left.space == right.space
                    && left.author == right.author && left.isOwn == right.isOwn
        }
    }

    /// Names what changed.
    public init(
        collection: String, space: SpaceDescriptor, entity: EntityID, author: PersonID, isOwn: Bool
    ) {
        self.entity = entity
        origin = Origin(collection, space, author, isOwn: isOwn)
    }

    /// Records tell nearly all changes apart; hashing the rest of each of very many would cost more
    /// than it saves.
    public func hash(into hasher: inout Hasher) { hasher.combine(entity) }

    /// The same of another record.
    public init(of entity: EntityID, like other: RecordChange) {
        self.entity = entity
        origin = other.origin
    }

    /// The declared name of the collection.
    public var collection: String { origin.collection }

    /// The space of the record.
    public var space: SpaceDescriptor { origin.space }

    /// Whose device authored the batch.
    public var author: PersonID { origin.author }

    /// Whether this device authored it.
    public var isOwn: Bool { origin.isOwn }
}

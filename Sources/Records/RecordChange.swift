/// A record that a committed batch changed, as reported to the plugin that owns the collection.
public struct RecordChange: Hashable, Sendable {
    /// The changed record.
    public let entity: EntityID
    private let origin: Origin

    /// The part that all changes of one commit have in common. They share one object, because a
    /// commit can change very many records.
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

    /// Creates a change from its fields.
    public init(
        collection: String, space: SpaceDescriptor, entity: EntityID, author: PersonID, isOwn: Bool
    ) {
        self.entity = entity
        origin = Origin(collection, space, author, isOwn: isOwn)
    }

    /// Hashes the record alone: it distinguishes nearly all changes, and hashing the rest of very
    /// many changes costs more than it saves.
    public func hash(into hasher: inout Hasher) { hasher.combine(entity) }

    /// Creates the same change for another record.
    public init(of entity: EntityID, like other: RecordChange) {
        self.entity = entity
        origin = other.origin
    }

    /// The declared name of the collection.
    public var collection: String { origin.collection }

    /// The space of the record.
    public var space: SpaceDescriptor { origin.space }

    /// The person whose device wrote the batch.
    public var author: PersonID { origin.author }

    /// Whether this device wrote the batch.
    public var isOwn: Bool { origin.isOwn }
}

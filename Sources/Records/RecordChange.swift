/// One record that a committed batch touched, told to the plugin that owns the collection.
public struct RecordChange: Hashable, Sendable {
    /// The declared name of the collection.
    public let collection: String
    public let space: SpaceDescriptor
    public let entity: EntityID
    /// Whose device authored the batch.
    public let author: PersonID
    /// Whether this device authored it.
    public let isOwn: Bool

    /// Names what changed.
    public init(
        collection: String, space: SpaceDescriptor, entity: EntityID, author: PersonID, isOwn: Bool
    ) {
        self.collection = collection
        self.space = space
        self.entity = entity
        self.author = author
        self.isOwn = isOwn
    }

    /// The record and the author tell nearly all changes apart; hashing the rest of each of very
    /// many would cost more than it saves.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(entity)
        hasher.combine(author)
    }
}

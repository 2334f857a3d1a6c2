/// One change a plugin asks for, by names; the replica turns it into operations.
public enum Edit: Hashable, Sendable {
    /// A new entity begins with these fields. The nonce, sixteen random bytes, makes its id.
    case create(collection: String, nonce: Bytes16, fields: [String: Value])
    /// Fields of the one entity of a collection that the author's person has in a space. It begins
    /// with the first such edit.
    case own(collection: String, fields: [String: Value])
    /// Fields of an entity take values.
    case set(collection: String, entity: EntityID, fields: [String: Value])
    /// An element joins a set.
    case add(collection: String, entity: EntityID, field: String, Value)
    /// An element leaves a set, as far as this replica has seen it being added.
    case remove(collection: String, entity: EntityID, field: String, Value)
    /// A counter grows, or shrinks when negative.
    case count(collection: String, entity: EntityID, field: String, by: Int64)
}

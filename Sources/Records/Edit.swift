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
    /// Every batch with which one's own person wrote an entity goes, its bytes too, on every
    /// replica. What others wrote of it stays in their logs, and shows nowhere once the entity's
    /// beginning went.
    case erase(collection: String, entity: EntityID)

    /// The name of the collection the edit is in.
    public var collection: String {
        switch self {
        case .create(let name, _, _), .own(let name, _), .set(let name, _, _),
            .add(let name, _, _, _), .remove(let name, _, _, _), .count(let name, _, _, _),
            .erase(let name, _):
            name
        }
    }
}

/// A change that a plugin asks for, by names. The replica turns it into operations.
///
/// All edits of one call form one batch:
/// ```swift
/// let edits: [Edit] = [
///     .create(collection: "notes.note/1", nonce: nonce, fields: ["title": .text("Milk")]),
///     .set(collection: "notes.note/1", entity: old, fields: ["isDone": .boolean(true)]),
/// ]
/// ```
public enum Edit: Hashable, Sendable {
    /// Creates an entity with these fields. The nonce, sixteen random bytes, determines its id.
    case create(collection: String, nonce: Bytes16, fields: [String: Value])
    /// Sets fields of the one entity of this collection that the author's person has in the space.
    /// The first such edit creates the entity.
    case own(collection: String, fields: [String: Value])
    /// Sets fields of an entity.
    case set(collection: String, entity: EntityID, fields: [String: Value])
    /// Adds an element to a set.
    case add(collection: String, entity: EntityID, field: String, Value)
    /// Removes an element from a set. Additions that this replica has not received are not
    /// affected.
    case remove(collection: String, entity: EntityID, field: String, Value)
    /// Adds a number, which may be negative, to a counter.
    case count(collection: String, entity: EntityID, field: String, by: Int64)
    /// Erases every batch with which this device's person wrote the entity, bytes included, on
    /// every replica. Batches of other authors about it stay in their logs. They are not shown if
    /// the batch that created the entity was erased.
    case erase(collection: String, entity: EntityID)

    /// The name of the edited collection.
    public var collection: String {
        switch self {
        case .create(let name, _, _), .own(let name, _), .set(let name, _, _),
            .add(let name, _, _, _), .remove(let name, _, _, _), .count(let name, _, _, _),
            .erase(let name, _):
            name
        }
    }
}

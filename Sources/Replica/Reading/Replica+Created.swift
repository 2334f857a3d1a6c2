internal import GRDB
public import Records

// Recognises edits that were authored before.
extension Replica {
    /// Returns the ids of the entities that these edits create, in their order, if this device has
    /// created the first of them before; nil if it has not, or if nothing is created.
    /// - Throws: ``ReplicaFault``.
    public func created(by edits: [Edit], in space: SpaceID) throws -> [EntityID]? {
        guard let state = states[space] else { return nil }
        let keys = edits.compactMap { edit -> EntityCache.Key? in
            guard case .create(let collection, let nonce, _) = edit,
                let table = catalog.table(named: collection)
            else { return nil }
            guard state.isOpen else {
                return table.key(
                    Operation.entity(in: space, of: table.collection.id, by: device, nonce: nonce))
            }
            return person(of: device).map {
                table.key(
                    Operation.entity(in: space, of: table.collection.id, by: $0, nonce: nonce))
            }
        }
        guard let first = keys.first else { return nil }
        let isKnown = try read { database in
            try OperationMerge(database, state, catalog, device: device).creator(first) != nil
        }
        return isKnown ? keys.map(\.entity) : nil
    }
}

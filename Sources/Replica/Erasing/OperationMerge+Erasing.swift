internal import Records

extension OperationMerge {
    /// The operations that erase every batch with which a person wrote an entity.
    /// - Throws: ``EditFault/unknownEntity(collection:_:)`` where there is none,
    ///   ``EditFault/notErasable(collection:_:)`` where one holds more than this entity.
    func erasures(of key: EntityCache.Key, by person: PersonID) throws -> [Operation] {
        let collection = catalog[key.collection]?.collection.name ?? ""
        var operations: [Operation] = []
        for (log, entry) in space.logs.sorted(by: { $0.key < $1.key })
        where entry.person == person {
            for stored in try batches.batches(ofLog: entry.number, mentioning: key.entity) {
                guard let body = try stored.content().body,
                    body.operations.contains(where: { $0.key == key })
                else { continue }
                guard body.isOf(key) else {
                    throw EditFault.notErasable(collection: collection, key.entity)
                }
                let name = space.path(containing: log)?.state.log ?? log
                operations.append(
                    .erase(BatchName(log: name, number: stored.place.number, hash: stored.hash)))
            }
        }
        guard !operations.isEmpty else {
            throw EditFault.unknownEntity(collection: collection, key.entity)
        }
        return operations
    }
}

extension BatchBody {
    /// Whether the batch can be erased and is about nothing but one entity.
    fileprivate func isOf(_ key: EntityCache.Key) -> Bool {
        salt != nil && operations.allSatisfy { $0.key == key }
    }
}

extension Operation {
    /// The control operation that erases a batch.
    static func erase(_ batch: BatchName) -> Operation {
        Operation(control: .erase(batch))
    }
}

internal import Records

extension OperationMerge {
    /// Returns the operations that erase every batch with which a person wrote an entity.
    /// - Throws: ``EditFault/unknownEntity(collection:_:)`` if there is none,
    ///   ``EditFault/notErasable(collection:_:)`` if a batch writes more than this entity.
    func erasures(of key: EntityCache.Key, by person: PersonID) throws -> [Operation] {
        var operations: [Operation] = []
        for (log, entry) in space.logs.sorted(by: { $0.key < $1.key })
        where entry.person == person {
            for stored in try batches.batches(ofLog: entry.number, mentioning: key.entity) {
                guard try isNamed(stored, toErase: key) else { continue }
                let name = space.path(containing: log)?.state.log ?? log
                operations.append(
                    .erase(BatchName(log: name, number: stored.place.number, hash: stored.hash)))
            }
        }
        guard !operations.isEmpty else {
            throw EditFault.unknownEntity(collection: name(of: key.collection), key.entity)
        }
        return operations
    }

    /// Whether an erase of an entity names a batch that mentions it. A damaged batch is named if
    /// the collection is erasable: a replica with an intact copy decides whether it may be erased.
    private func isNamed(
        _ stored: BatchTable.Stored, toErase key: EntityCache.Key
    ) throws(EditFault) -> Bool {
        guard let content = stored.readableContent else {
            return catalog[key.collection]?.collection.isErasable ?? false
        }
        guard let body = content.body, body.operations.contains(where: { $0.key == key }) else {
            return false
        }
        guard body.isOf(key) else {
            throw .notErasable(collection: name(of: key.collection), key.entity)
        }
        return true
    }

    private func name(of collection: CollectionID) -> String {
        catalog[collection]?.collection.name ?? ""
    }
}

extension BatchBody {
    /// Whether the batch can be erased and writes this entity only.
    fileprivate func isOf(_ key: EntityCache.Key) -> Bool {
        salt != nil && operations.allSatisfy { $0.key == key }
    }
}

extension Operation {
    /// Returns the control operation that erases a batch.
    static func erase(_ batch: BatchName) -> Operation {
        Operation(control: .erase(batch))
    }
}

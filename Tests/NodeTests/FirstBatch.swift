import Identity
import Records

extension Run {
    /// Creates a run with the first batch of a device's log.
    static func first(
        _ operations: [Operation], by key: DeviceKey, in space: SpaceID, at time: Timestamp
    ) throws -> Run {
        let body = BatchBody(operations)
        let log = LogName(device: key.id)
        let header = BatchHeader(
            space: space, log: log, number: 1, previous: .none, epoch: 0, stamp: Stamp(time),
            bodyHash: Digest.body.hash(body.encoded))
        return Run(
            log: log, firstNumber: 1, epoch: 0,
            batches: [.init(stamp: Stamp(time), body: body)],
            signature: try key.sign(header.signedBytes))
    }
}

extension Operation {
    /// Accepts a role in a group.
    static let accept = Operation(collection: .control, entity: .control, action: .accept)

    /// Creates the first entity of a device in a collection.
    static func create(
        in space: SpaceID, of collection: CollectionID, by key: DeviceKey
    ) -> Operation {
        let entity = entity(in: space, of: collection, by: key.id, nonce: .zero)
        return Operation(collection: collection, entity: entity, action: .create(nonce: .zero))
    }
}

import Identity
import Records
import Replica

/// Writes batches of known lengths by hand, of a collection that no replica declares.
struct Filler {
    private(set) var author: Author
    private var entity: EntityID
    /// The time from which batches are dated, each a millisecond later than the one before.
    var start = now

    init(_ key: DeviceKey, in space: SpaceDescriptor) {
        author = Author(key, in: space)
        entity = author.create(7).entity
    }

    /// The bytes of a batch besides its values.
    static let collection = CollectionID(name: "test.filler/1")

    /// Writes one batch with a body of about so many bytes.
    @discardableResult
    mutating func write(
        bytes: Int = 60_000, salt: Bytes16? = Bytes16([UInt8](repeating: 3, count: 16))
    ) throws -> CheckedBatch {
        var operations: [Operation] = []
        var left = bytes
        while left > 0 {
            let count = min(left, 30_000)
            operations.append(
                Operation(
                    collection: Filler.collection, entity: entity,
                    action: .set(
                        field: 1, .bytes([UInt8](repeating: UInt8(left & 255), count: count)))))
            left -= count
        }
        return try author.write(
            operations, at: start + .milliseconds(author.batches.count), salt: salt)
    }

    /// Writes a batch that erases another.
    @discardableResult
    mutating func erase(_ batch: CheckedBatch) throws -> CheckedBatch {
        try author.write([.erase(batch)], at: start + .milliseconds(author.batches.count))
    }

    /// Returns the run of one batch.
    func run(_ index: Int) -> (SpaceID, Run) { (author.space, author.run(index..<index + 1)) }
}

extension CheckedBatch {
    /// The bytes that the batch is counted with in quotas.
    var storedBytes: Int { content.encoded.count + Limits.batchRowBytes }
}

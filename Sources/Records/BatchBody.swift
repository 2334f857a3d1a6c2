/// The operations of one batch.
///
/// Encoded as a kind byte (0 plain, 1 with a salt of 16 bytes after it), then groups to the end:
/// the collection's four bytes, the entity's sixteen, a varint count and that many operations.
/// Neighbouring operations on one entity always share a group, so the encoding is the only one.
public struct BatchBody: Hashable, Sendable {
    /// Sixteen random bytes where the batch can be erased alone, so that the hash that stays says
    /// nothing about what went.
    public let salt: Bytes16?
    /// The operations in order; a dot or a tie names one by its index.
    public let operations: [Operation]

    /// The one encoding, which is hashed and stored. It is made once and kept.
    public let encoded: [UInt8]
    /// Whether an operation is a control operation.
    public let hasControl: Bool
    /// Whether an operation begins an entity.
    public let hasCreate: Bool

    /// Joins operations into a body.
    public init(_ operations: [Operation], salt: Bytes16? = nil) {
        var bytes = BatchBody.head(salt)
        for group in BatchBody.groups(of: operations) {
            let first = operations[group.lowerBound]
            bytes.append(group: first.collection, first.entity)
            bytes.append(varint: UInt64(group.count))
            for operation in operations[group] { operation.action.encode(into: &bytes) }
        }
        self.init(operations, salt: salt, encoded: bytes)
    }

    /// Joins operations that were read with the encoding they were read from.
    init(_ operations: [Operation], salt: Bytes16?, encoded: [UInt8]) {
        self.operations = operations
        self.salt = salt
        self.encoded = encoded
        hasControl = operations.contains { $0.collection == .control }
        hasCreate = operations.contains { $0.action.isCreate }
    }

    /// The kind, and the salt where there is one.
    static func head(_ salt: Bytes16?) -> [UInt8] {
        var bytes: [UInt8] = [salt == nil ? 0 : 1]
        salt?.append(to: &bytes)
        return bytes
    }

    /// The runs of neighbouring operations on one entity.
    var groups: [Range<Int>] { BatchBody.groups(of: operations) }

    private static func groups(of operations: [Operation]) -> [Range<Int>] {
        var result: [Range<Int>] = []
        var start = 0
        for index in operations.indices.dropFirst() {
            let (left, right) = (operations[start], operations[index])
            if left.collection != right.collection || left.entity != right.entity {
                result.append(start..<index)
                start = index
            }
        }
        if !operations.isEmpty { result.append(start..<operations.count) }
        return result
    }

    /// Decodes exactly one body; every other spelling is refused.
    /// - Throws: ``RecordFault``, in the order length, kind, groups, count of operations.
    public init(decoding bytes: [UInt8]) throws(RecordFault) {
        guard bytes.count <= Limits.batchBodyBytesMax else {
            throw .overLimit("a batch's bytes", limit: Limits.batchBodyBytesMax)
        }
        var reader = ByteReader(bytes)
        let salt = try BatchBody.salt(kind: try reader.byte(), from: &reader)
        var operations: [Operation] = []
        while !reader.isAtEnd {
            let collection = CollectionID(rawValue: try reader.integer(UInt32.self))
            let entity = try reader.identifier(EntityID.self)
            if let last = operations.last, last.collection == collection, last.entity == entity {
                throw .notCanonical("a group split in two")
            }
            try BatchBody.readGroup(collection, entity, &reader, into: &operations)
        }
        guard !operations.isEmpty else { throw .notCanonical("a batch without operations") }
        self.init(operations, salt: salt, encoded: bytes)
    }

    /// The salt that follows the kind byte of a body.
    static func salt(
        kind: UInt8, from reader: inout ByteReader
    ) throws(RecordFault) -> Bytes16? {
        switch kind {
        case 0: return nil
        case 1:
            guard let salt = Bytes16(try reader.bytes(16)) else { throw .truncated }
            return salt
        default: throw .unknownTag("body kind", UInt64(kind))
        }
    }

    static func readGroup(
        _ collection: CollectionID, _ entity: EntityID, _ reader: inout ByteReader,
        into operations: inout [Operation]
    ) throws(RecordFault) {
        let isControl = collection == .control
        guard isControl == (entity == .control) else { throw .notCanonical("a control entity") }
        let count = try reader.count("operations", limit: Limits.batchOperationsMax)
        guard count > 0 else { throw .notCanonical("an empty group") }
        guard operations.count + count <= Limits.batchOperationsMax else {
            throw .overLimit("a batch's operations", limit: Limits.batchOperationsMax)
        }
        for _ in 0..<count {
            let action = try Operation.Action(from: &reader, isControl: isControl)
            operations.append(Operation(collection: collection, entity: entity, action: action))
        }
    }
}

extension [UInt8] {
    /// Appends the head of a group: the collection and the entity.
    mutating func append(group collection: CollectionID, _ entity: EntityID) {
        append(bigEndian: collection.rawValue)
        entity.raw.append(to: &self)
    }
}

/// The operations of one batch.
///
/// Encoded as a kind byte (0 plain, 1 if a salt of 16 bytes follows), then groups to the end. A
/// group is the collection's four bytes, the entity's sixteen, a varint count and that many
/// operations.
/// Neighbouring operations on one entity always share a group, so a body has exactly one encoding.
public struct BatchBody: Hashable, Sendable {
    /// Sixteen random bytes, present if the batch can be erased alone. They keep anyone from
    /// guessing erased content by the hash that remains.
    public let salt: Bytes16?
    /// The operations in order. A dot or a tie refers to an operation by its index.
    public let operations: [Operation]

    /// The canonical encoding, which is hashed and stored. It is made once and kept.
    public let encoded: [UInt8]
    /// Whether an operation is a control operation.
    public let hasControl: Bool
    /// Whether an operation creates an entity.
    public let hasCreate: Bool

    /// Creates a body and its encoding from operations.
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

    /// Creates a body from decoded operations and the bytes they were decoded from.
    init(_ operations: [Operation], salt: Bytes16?, encoded: [UInt8]) {
        self.operations = operations
        self.salt = salt
        self.encoded = encoded
        hasControl = operations.contains { $0.collection == .control }
        hasCreate = operations.contains { $0.action.isCreate }
    }

    /// The kind byte, followed by the salt if there is one.
    static func head(_ salt: Bytes16?) -> [UInt8] {
        var bytes: [UInt8] = [salt == nil ? 0 : 1]
        salt?.append(to: &bytes)
        return bytes
    }

    /// The runs of neighbouring operations on one entity.
    public var groups: [Range<Int>] { BatchBody.groups(of: operations) }

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

    /// Decodes exactly one body. Any other encoding of the same operations is refused.
    /// - Throws: ``RecordFault``, in the order length, kind, groups, operation count.
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

    /// Reads the salt that follows the kind byte of a body.
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

    /// Reads the operations of one group, whose collection and entity were read before.
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
    /// Appends the start of a group: the collection and the entity.
    mutating func append(group collection: CollectionID, _ entity: EntityID) {
        append(bigEndian: collection.rawValue)
        entity.raw.append(to: &self)
    }
}

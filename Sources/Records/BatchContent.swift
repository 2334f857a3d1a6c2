/// What is here of a batch's operations: all of them, or only their hash once they were erased.
///
/// Encoded as the body itself, or as the kind byte 2 and the hash of the body that went.
public enum BatchContent: Hashable, Sendable {
    /// The operations are here.
    case body(BatchBody)
    /// `H("body", body)` of a body that is not here.
    case erased(Bytes32)

    /// The kind byte in front of the hash of a body that went.
    static let erasedKind: UInt8 = 2

    /// The operations, or nil where they are not here.
    public var body: BatchBody? {
        if case .body(let body) = self { body } else { nil }
    }

    /// The one encoding, which is stored.
    public var encoded: [UInt8] {
        switch self {
        case .body(let body): return body.encoded
        case .erased(let hash):
            var bytes = [BatchContent.erasedKind]
            hash.append(to: &bytes)
            return bytes
        }
    }

    /// Decodes exactly one content.
    /// - Throws: ``RecordFault``, as ``BatchBody/init(decoding:)`` does.
    public init(decoding bytes: [UInt8]) throws(RecordFault) {
        guard bytes.first == BatchContent.erasedKind else {
            self = .body(try BatchBody(decoding: bytes))
            return
        }
        var reader = ByteReader(Array(bytes.dropFirst()))
        self = try BatchContent.erased(from: &reader)
        try reader.finish()
    }

    /// Reads what follows the kind byte of an erased body.
    static func erased(from reader: inout ByteReader) throws(RecordFault) -> BatchContent {
        guard let hash = Bytes32(try reader.bytes(32)) else { throw .truncated }
        return .erased(hash)
    }

    /// The hash that the batch's header names.
    public var bodyHash: Bytes32 { BatchContent.bodyHash(ofEncoded: encoded) }

    /// The same, of a content's encoding. Bytes that are no content have the hash of a body that
    /// nobody signed.
    public static func bodyHash(ofEncoded bytes: [UInt8]) -> Bytes32 {
        guard bytes.first == erasedKind, let hash = Bytes32(Array(bytes.dropFirst())) else {
            return Digest.body.hash(bytes)
        }
        return hash
    }
}

/// The operations of a batch, or only their hash after they were erased.
///
/// Encoded as the body itself, or as the kind byte 2 and the hash of the erased body.
public enum BatchContent: Hashable, Sendable {
    /// The operations are stored here.
    case body(BatchBody)
    /// `H("body", body)` of a body that was erased.
    case erased(Bytes32)

    /// The kind byte before the hash of an erased body.
    static let erasedKind: UInt8 = 2

    /// The operations, or nil if they were erased.
    public var body: BatchBody? {
        if case .body(let body) = self { body } else { nil }
    }

    /// The canonical encoding, which is stored.
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

    /// Reads the bytes after the kind byte of an erased body.
    static func erased(from reader: inout ByteReader) throws(RecordFault) -> BatchContent {
        guard let hash = Bytes32(try reader.bytes(32)) else { throw .truncated }
        return .erased(hash)
    }

    /// The body hash that the batch's header contains.
    public var bodyHash: Bytes32 { BatchContent.bodyHash(ofEncoded: encoded) }

    /// Returns the body hash for an encoded content. For malformed bytes this is a hash that no
    /// header contains.
    public static func bodyHash(ofEncoded bytes: [UInt8]) -> Bytes32 {
        guard bytes.first == erasedKind, let hash = Bytes32(Array(bytes.dropFirst())) else {
            return Digest.body.hash(bytes)
        }
        return hash
    }
}

internal import Crypto

/// The SHA-256 of a blob's content.
public struct BlobHash: Identifier32 {
    /// The 32 bytes.
    public let raw: Bytes32
    /// Wraps a hash that was read or computed.
    public init(raw: Bytes32) { self.raw = raw }

    /// Hashes content.
    public init(of content: [UInt8]) {
        guard let raw = Bytes32(Array(SHA256.hash(data: content))) else {
            preconditionFailure("a SHA-256 has 32 bytes")
        }
        self.raw = raw
    }
}

/// The value of a blob field: the hash, the size and the media type of content that is stored
/// beside the records.
///
/// The content is sent apart from the record, to members who ask for it. So a record with a photo
/// is as short as any other, and its hash and size are known before any content arrives.
///
/// ```swift
/// let photo = try await context.blobs.put(bytes, kind: "image/jpeg", in: room)
/// let edit = Edit.create(
///     collection: "chat.message/1", nonce: nonce, fields: ["photo": photo.value])
/// ```
public struct Blob: Hashable, Sendable {
    /// The SHA-256 of the content.
    public let hash: BlobHash
    /// The length of the content in bytes, 1 to ``Limits/blobBytesMax``.
    public let bytesCount: Int
    /// The media type, such as `image/jpeg`.
    public let kind: String

    /// Joins the parts; nil if the size or the media type is not valid.
    public init?(hash: BlobHash, bytesCount: Int, kind: String) {
        guard (1...Limits.blobBytesMax).contains(bytesCount), Blob.isKind(kind) else { return nil }
        self.hash = hash
        self.bytesCount = bytesCount
        self.kind = kind
    }

    /// Describes content; nil if it is empty, too long, or the media type is not valid.
    public init?(of content: [UInt8], kind: String) {
        guard (1...Limits.blobBytesMax).contains(content.count) else { return nil }
        self.init(hash: BlobHash(of: content), bytesCount: content.count, kind: kind)
    }

    /// Decodes the value of a field.
    /// - Throws: the first ``RecordFault`` found, in the order hash, size, media type, end.
    public init(decoding bytes: [UInt8]) throws(RecordFault) {
        var reader = ByteReader(bytes)
        let hash = try reader.identifier(BlobHash.self)
        let bytesCount = try reader.count("a blob's size", limit: Limits.blobBytesMax)
        let kind = try reader.text("a blob's media type", limit: Limits.blobKindBytesMax)
        try reader.finish()
        guard let blob = Blob(hash: hash, bytesCount: bytesCount, kind: kind) else {
            throw .notCanonical("an empty blob or a malformed media type")
        }
        self = blob
    }

    /// The one encoding: the hash, the size as a varint, the media type with its length.
    public var encoded: [UInt8] {
        var bytes = hash.bytes
        bytes.append(varint: UInt64(bytesCount))
        bytes.append(text: kind)
        return bytes
    }

    /// The form in which a field holds it.
    public var value: Value { .bytes(encoded) }

    /// Whether a text is a media type: two parts of lower-case letters, digits, dots, plus signs
    /// and hyphens, with a slash between them.
    public static func isKind(_ text: String) -> Bool {
        guard text.utf8.count <= Limits.blobKindBytesMax else { return false }
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return parts.count == 2
            && parts.allSatisfy { part in
                !part.isEmpty
                    && part.allSatisfy { byte in
                        (0x61...0x7a).contains(byte) || (0x30...0x39).contains(byte)
                            || [0x2b, 0x2d, 0x2e].contains(byte)
                    }
            }
    }
}

extension Limits {
    /// The length of a blob's content, in bytes (16 MiB).
    public static let blobBytesMax = 16 * 1024 * 1024
    /// The length of a blob's media type, in bytes.
    public static let blobKindBytesMax = 64
    /// The length of one piece of a blob's content on a link, in bytes. Every piece but the last
    /// one has this length.
    public static let blobPieceBytes = 64 * 1024
}

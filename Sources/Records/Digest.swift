internal import Crypto

/// SHA-256 with the purpose as a prefix, so that a hash made for one purpose never passes for
/// another.
public struct Digest: Sendable {
    /// The 32 bytes hashed before the content: `waggle/1 <name>`, padded with zeros.
    public let prefix: [UInt8]

    private init(_ name: String) {
        let text = Array("waggle/1 \(name)".utf8)
        prefix = text + [UInt8](repeating: 0, count: 32 - text.count)
    }

    /// Derives a person's id from the founding record.
    public static let person = Digest("person")
    /// Derives a space's id from its descriptor.
    public static let space = Digest("space")
    /// Derives a collection's id from its name.
    public static let collection = Digest("collection")
    /// Derives the id of a created entity.
    public static let entity = Digest("entity")
    /// Derives the id of the one entity a person has in a space.
    public static let ownEntity = Digest("own entity")
    /// Hashes a batch's header.
    public static let header = Digest("header")
    /// Hashes a batch's body.
    public static let body = Digest("body")
    /// Derives the dot of an operation.
    public static let dot = Digest("dot")
    /// Hashes the heads of a space's logs.
    public static let logs = Digest("logs")
    /// Prefixes the founding record for its signature.
    public static let founding = Digest("founding")
    /// Prefixes a device entry for its signature.
    public static let deviceEntry = Digest("device entry")
    /// Prefixes a device's consent to be listed.
    public static let deviceConsent = Digest("device consent")
    /// Derives the check bytes of the recovery words.
    public static let recoveryCheck = Digest("recovery check")
    /// Derives the recovery key from the recovery words' entropy.
    public static let recoverySeed = Digest("recovery seed")
    /// Prefixes the question of a device that comes back by recovery words.
    public static let recoveryQuestion = Digest("recovery question")
    /// Derives the check bytes of a joining code.
    public static let joinCheck = Digest("join check")
    /// Derives the key and the name of a joining code.
    public static let joinKey = Digest("join key")
    /// Prefixes the proofs of two devices that know a joining code.
    public static let joinProof = Digest("join proof")
    /// Prefixes a batch's hash for its signature.
    public static let batchSignature = Digest("batch signature")
    /// Hashes the headers of a range of a log for an audit.
    public static let audit = Digest("audit")
    /// Derives a space's token for one link.
    public static let token = Digest("token")
    /// Derives a device's announced tag.
    public static let tag = Digest("tag")
    /// Prefixes a statement that a plugin signs for people who share no space with its person.
    public static let statement = Digest("statement")
    /// Hashes a committed value before it is revealed.
    public static let commitment = Digest("commitment")
    /// Derives the nonces of the records that a request with an id creates.
    public static let request = Digest("request")
    /// Names the terms of an agreement, so that a person's devices tell its changes apart.
    public static let terms = Digest("terms")
    /// Derives ids in files for other programs, which must not tell the ids of records.
    public static let outside = Digest("outside")
    /// Derives the check code that two people compare.
    public static let checkCode = Digest("check code")

    /// Returns the hash of the purpose and the bytes.
    public func hash(_ bytes: some Sequence<UInt8>) -> Bytes32 {
        var hasher = SHA256()
        unsafe prefix.withUnsafeBytes { unsafe hasher.update(bufferPointer: $0) }
        unsafe Array(bytes).withUnsafeBytes { unsafe hasher.update(bufferPointer: $0) }
        return Bytes32(hasher.finalize())
    }
}

extension Bytes32 {
    /// Reads the bytes of a digest in place, because copying them to an array costs more than
    /// hashing.
    fileprivate init(_ digest: SHA256Digest) {
        self = unsafe digest.withUnsafeBytes { bytes in
            func integer(_ index: Int) -> UInt64 {
                let raw = unsafe bytes.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self)
                return UInt64(bigEndian: raw)
            }
            return Bytes32(integer(0), integer(1), integer(2), integer(3))
        }
    }
}

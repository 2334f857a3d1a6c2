internal import Crypto

/// SHA-256 with its purpose in front, so that a hash made for one thing never passes for another.
public struct Digest: Sendable {
    /// The 32 bytes in front of what is hashed: `waggle/1 <name>`, padded with zeros.
    public let prefix: [UInt8]

    private init(_ name: String) {
        let text = Array("waggle/1 \(name)".utf8)
        prefix = text + [UInt8](repeating: 0, count: 32 - text.count)
    }

    public static let person = Digest("person")
    public static let space = Digest("space")
    public static let collection = Digest("collection")
    public static let entity = Digest("entity")
    public static let ownEntity = Digest("own entity")
    public static let header = Digest("header")
    public static let body = Digest("body")
    public static let dot = Digest("dot")
    public static let logs = Digest("logs")
    public static let founding = Digest("founding")
    public static let deviceEntry = Digest("device entry")
    public static let deviceConsent = Digest("device consent")
    public static let recoveryCheck = Digest("recovery check")
    public static let recoverySeed = Digest("recovery seed")
    public static let batchSignature = Digest("batch signature")
    public static let audit = Digest("audit")
    public static let token = Digest("token")
    public static let tag = Digest("tag")
    public static let commitment = Digest("commitment")
    public static let checkCode = Digest("check code")

    /// The hash of this purpose and the bytes.
    public func hash(_ bytes: some Sequence<UInt8>) -> Bytes32 {
        var hasher = SHA256()
        unsafe prefix.withUnsafeBytes { unsafe hasher.update(bufferPointer: $0) }
        unsafe Array(bytes).withUnsafeBytes { unsafe hasher.update(bufferPointer: $0) }
        return Bytes32(hasher.finalize())
    }
}

extension Bytes32 {
    /// The bytes of a digest, read where they stand: an array of them would cost more than hashing.
    fileprivate init(_ digest: SHA256Digest) {
        self = unsafe digest.withUnsafeBytes { bytes in
            func word(_ index: Int) -> UInt64 {
                let raw = unsafe bytes.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self)
                return UInt64(bigEndian: raw)
            }
            return Bytes32(word(0), word(1), word(2), word(3))
        }
    }
}

internal import Crypto

/// SHA-256 with its purpose in front, so that a hash made for one thing never passes for another.
///
/// The purpose is `waggle/1 <name>` padded with zeros to 32 bytes.
public enum Digest: String, Sendable {
    case person = "person"
    case space = "space"
    case collection = "collection"
    case entity = "entity"
    case ownEntity = "own entity"
    case header = "header"
    case body = "body"
    case dot = "dot"
    case logs = "logs"
    case founding = "founding"
    case deviceEntry = "device entry"
    case deviceConsent = "device consent"
    case recoveryCheck = "recovery check"
    case recoverySeed = "recovery seed"
    case batchSignature = "batch signature"
    case audit = "audit"
    case token = "token"
    case tag = "tag"
    case commitment = "commitment"
    case checkCode = "check code"

    /// The 32 bytes in front of what is hashed.
    public var prefix: [UInt8] {
        let text = Array("waggle/1 \(rawValue)".utf8)
        return text + [UInt8](repeating: 0, count: 32 - text.count)
    }

    /// The hash of this purpose and the bytes.
    public func hash(_ bytes: some Sequence<UInt8>) -> Bytes32 {
        var hasher = SHA256()
        hasher.update(data: prefix)
        hasher.update(data: Array(bytes))
        guard let hash = Bytes32(Array(hasher.finalize())) else {
            preconditionFailure("SHA-256 has 32 bytes")
        }
        return hash
    }
}

internal import Crypto
public import Records

/// The key that outranks every device of its person. It is in memory while it is used and is never
/// written to a disk: only the ``RecoveryWords`` preserve it.
public struct RecoveryKey: Sendable {
    private let privateKey: Curve25519.Signing.PrivateKey

    /// Derives the key from the entropy of the words: HKDF-SHA256 without salt, with the purpose's
    /// prefix as info. Its 32 bytes are the Ed25519 seed.
    init(entropy: Bytes16) {
        let derived = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: entropy.bytes), info: Digest.recoverySeed.prefix,
            outputByteCount: 32)
        let seed = unsafe derived.withUnsafeBytes { unsafe Array($0) }
        guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: seed) else {
            preconditionFailure("32 bytes are an Ed25519 seed")
        }
        privateKey = key
    }

    /// The public half, which is part of the founding record.
    public var publicKey: Bytes32 { privateKey.publicKey.bytes }

    /// Signs bytes. They begin with the prefix of their purpose (``Digest/prefix``).
    /// - Throws: ``IdentityFault/cannotSign``.
    public func sign(_ bytes: [UInt8]) throws(IdentityFault) -> Signature {
        try privateKey.sign(bytes)
    }
}

public import Crypto
public import Records

/// The private key of one installation. It signs batches and device entries, and proves the
/// device's identity on links.
public struct DeviceKey: Sendable {
    /// The Ed25519 key, as needed for a link's certificate.
    public let privateKey: Curve25519.Signing.PrivateKey

    /// Creates a key from the system's secure randomness.
    public init() {
        privateKey = Curve25519.Signing.PrivateKey()
    }

    /// Creates a key from 32 bytes of a generator, which must be secure outside of tests.
    public init(using generator: inout some RandomNumberGenerator) {
        do {
            try self.init(rawRepresentation: RandomBytes.array(32, using: &generator))
        } catch {
            preconditionFailure("32 bytes are an Ed25519 seed: \(error)")
        }
    }

    /// Creates a key from stored bytes.
    /// - Parameter rawRepresentation: the 32-byte seed of RFC 8032.
    /// - Throws: ``IdentityFault/wrongKeyLength(bytes:)``.
    public init(rawRepresentation: some Collection<UInt8>) throws(IdentityFault) {
        let seed = Array(rawRepresentation)
        guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: seed) else {
            throw .wrongKeyLength(bytes: seed.count)
        }
        privateKey = key
    }

    /// The 32-byte seed. Only the key file may store it.
    public var rawRepresentation: [UInt8] { Array(privateKey.rawRepresentation) }

    /// The device's identifier, which is the public key.
    public var id: DeviceID { DeviceID(raw: privateKey.publicKey.bytes) }

    /// Signs bytes. They begin with the prefix of their purpose (``Digest/prefix``).
    /// - Throws: ``IdentityFault/cannotSign``.
    public func sign(_ bytes: [UInt8]) throws(IdentityFault) -> Signature {
        try privateKey.sign(bytes)
    }
}

extension Curve25519.Signing.PublicKey {
    /// The 32 bytes of the public key.
    var bytes: Bytes32 {
        guard let bytes = Bytes32(Array(rawRepresentation)) else {
            preconditionFailure("an Ed25519 public key has 32 bytes")
        }
        return bytes
    }
}

extension Curve25519.Signing.PrivateKey {
    /// Signs bytes without adding a prefix.
    func sign(_ bytes: [UInt8]) throws(IdentityFault) -> Signature {
        guard let made = try? self.signature(for: bytes), let signature = Signature(Array(made))
        else { throw .cannotSign }
        return signature
    }
}

internal import Crypto

/// An Ed25519 signature of 64 bytes.
public struct Signature: Hashable, Sendable {
    /// The 64 bytes.
    public let bytes: [UInt8]

    /// The length of a signature, in bytes.
    public static let bytesCount = 64

    /// Wraps 64 bytes, or returns nil for another count.
    public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Signature.bytesCount else { return nil }
        self.bytes = Array(bytes)
    }

    /// Whether a device's key made this signature over these bytes.
    public func verifies(_ bytes: [UInt8], by key: Bytes32) -> Bool {
        guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: key.bytes) else {
            return false
        }
        return key.isValidSignature(self.bytes, for: bytes)
    }
}

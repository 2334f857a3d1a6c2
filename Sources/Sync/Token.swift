public import Records

/// The name of a space on one link in one direction: eight bytes that reveal nothing to a device
/// that does not know the space's id, and that differ on every link.
public struct Token: Hashable, Sendable {
    /// The eight bytes as a big-endian integer.
    public let rawValue: UInt64

    /// Wraps a token that was received.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Derives the token that the side with the nonce `sender` sends to the side with the nonce
    /// `receiver`.
    public init(_ space: SpaceID, sender: Bytes16, receiver: Bytes16) {
        var bytes = space.bytes
        sender.append(to: &bytes)
        receiver.append(to: &bytes)
        rawValue = Digest.token.hash(bytes).bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}

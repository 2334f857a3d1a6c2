public import Records

/// A space's name on one link and in one direction: eight bytes that say nothing to anyone who
/// does not know the space's id, and that no other link repeats.
public struct Token: Hashable, Sendable {
    /// The eight bytes, most significant first.
    public let rawValue: UInt64

    /// Wraps a token that arrived.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The token that the side of nonce `sender` uses towards the side of nonce `receiver`.
    public init(_ space: SpaceID, sender: Bytes16, receiver: Bytes16) {
        var bytes = space.bytes
        sender.append(to: &bytes)
        receiver.append(to: &bytes)
        rawValue = Digest.token.hash(bytes).bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}

/// What one endpoint and each of its links may hold at once.
public struct LinkLimits: Sendable, Equatable {
    /// Bytes that wait for one peer before ``Link/send(_:)-(Frame)`` suspends.
    public var queuedBytesMax = 1024 * 1024
    /// Whole frames that wait for one link's reader before its socket is read no more.
    public var unreadFramesMax = 8
    /// Accepted connections whose HELLO was not accepted yet, all together.
    public var strangersMax = 64
    /// Those of them that come from one address: it cannot keep everybody else out.
    public var strangersPerAddressMax = 16
    /// Connections accepted from one address in one second.
    public var acceptsPerSecondMax = 16

    /// The limits that hold unless a test says otherwise.
    public init() {}
}

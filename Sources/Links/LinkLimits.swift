/// The limits of an endpoint and of each of its links.
public struct LinkLimits: Sendable, Equatable {
    /// The bytes queued for one peer above which ``Link/send(_:)-(Frame)`` suspends.
    public var queuedBytesMax = 1024 * 1024
    /// The number of unread frames of one link above which its socket is not read.
    public var unreadFramesMax = 8
    /// The number of accepted connections whose HELLO was not accepted yet.
    public var strangersMax = 64
    /// The number of such connections from one address, so that it cannot block all others.
    public var strangersPerAddressMax = 16
    /// The number of connections accepted from one address in one second.
    public var acceptsPerSecondMax = 16

    /// Creates the default limits.
    public init() {}
}

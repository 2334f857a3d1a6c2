/// The limits of an endpoint and of each of its links.
public struct LinkLimits: Sendable, Equatable {
    /// The bytes queued for one peer above which ``Link/send(_:)-(Frame)`` suspends.
    public var queuedBytesMax = 1024 * 1024
    /// The number of unread frames of one link above which its socket is not read.
    public var unreadFramesMax = 8
    /// The maximum number of accepted connections whose HELLO was not accepted yet. Beyond it, a
    /// newer one evicts another: from the most crowded network and address, the one that has done
    /// least, then the oldest.
    public var strangersMax = 64
    /// The maximum number of such connections from one address.
    public var strangersPerAddressMax = 16
    /// The maximum number of such connections from one IPv6 network of 64 bits, since one device
    /// can use every address of it.
    public var strangersPerNetworkMax = 32
    /// The number of addresses from which known people were linked that are remembered, the latest.
    public var knownAddressesMax = 256
    /// The number of connections from such an address up to which none of them loses its place to a
    /// connection from elsewhere.
    public var knownPlacesPerAddressMax = 2
    /// No more connections are accepted while this many accepted ones wait for their event loop.
    public var unattendedMax = 32
    /// The number of connections accepted from one address in one second.
    public var acceptsPerSecondMax = 16
    /// The number of connections accepted from one IPv6 network of 64 bits in one second. It is
    /// higher, since all devices of a LAN may share such a network.
    public var acceptsPerSecondPerNetworkMax = 256

    /// Creates the default limits.
    public init() {}
}

extension LinkLimits {
    /// The length up to which frames that wait for one peer are joined to one write, in bytes.
    package var writeBytes: Int { queuedBytesMax / 4 }
    /// The number of received frames that pass to the reader in one turn of the event loop.
    ///
    /// A reader of very small frames can be as fast as the event loop. Without turns one peer would
    /// keep the loop for as long as its bytes last, some seconds, while the other links of the loop
    /// wait.
    package static let turnFramesMax = 128
    /// The number of bytes of such frames after which a turn ends.
    package static let turnBytesMax = 256 * 1024
    /// The number of turns in which frames still pass after the end of a connection.
    package static let lastTurnsMax = 4
}

/// The time limits of a link's phases. They are absolute, so that single bytes do not extend them.
/// Only `silence` and `write` start again at any progress.
public struct LinkTimes: Sendable, Equatable {
    /// The time from dialling to an open connection.
    public var connect: Duration = .seconds(5)
    /// The time from an open connection to the end of the TLS handshake.
    public var handshake: Duration = .seconds(5)
    /// The time from the end of the TLS handshake to ``Link/helloAccepted(isKnown:)``.
    public var hello: Duration = .seconds(5)
    /// The time from a frame's first byte to its last.
    public var frame: Duration = .seconds(30)
    /// The time without a received byte after the TLS handshake, while this side reads.
    public var silence: Duration = .seconds(45)
    /// The time without progress in sending queued data.
    public var write: Duration = .seconds(30)
    /// The time from this side's goodbye to the peer's, before the connection is cut.
    public var goodbye: Duration = .seconds(1)

    /// Creates the default times.
    public init() {}
}

/// How long a link waits in each of its phases. All are absolute: a byte now and then wins nothing,
/// except for `silence` and `write`, which ask for any progress at all.
public struct LinkTimes: Sendable, Equatable {
    /// From dialling to an open connection.
    public var connect: Duration = .seconds(5)
    /// From an open connection to the end of the TLS handshake.
    public var handshake: Duration = .seconds(5)
    /// From the end of the TLS handshake to ``Link/helloAccepted()``.
    public var hello: Duration = .seconds(5)
    /// From a frame's first byte to its last.
    public var frame: Duration = .seconds(30)
    /// Without one byte received after the TLS handshake, while this side is reading.
    public var silence: Duration = .seconds(45)
    /// Without one piece of what is queued leaving for the other side.
    public var write: Duration = .seconds(30)
    /// From this side's goodbye to the other side's, before the connection is cut.
    public var goodbye: Duration = .seconds(1)

    /// The times that hold unless a test says otherwise.
    public init() {}
}

/// The end of a log on a replica, as peers report it: a batch's number and the first bytes of its
/// hash.
public struct LogReach: Hashable, Sendable {
    /// The log.
    public let log: LogName
    /// The number of the last batch there.
    public let number: UInt64
    /// The first eight bytes of that batch's hash.
    public let prefix: UInt64

    /// Creates a reach from its parts.
    public init(log: LogName, number: UInt64, prefix: UInt64) {
        self.log = log
        self.number = number
        self.prefix = prefix
    }

    /// Creates the reach of a log that ends with a known batch.
    public init(_ head: LogHead) {
        self.init(log: head.log, number: head.number, prefix: head.hash.prefix)
    }
}

extension BatchHash {
    /// The first eight bytes as a big-endian integer.
    public var prefix: UInt64 { bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }
}

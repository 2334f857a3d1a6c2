/// How far a log reaches somewhere, as peers tell each other: the number of a batch and the
/// beginning of its hash.
public struct LogReach: Hashable, Sendable {
    public let log: LogName
    /// The number of the last batch there.
    public let number: UInt64
    /// The first eight bytes of that batch's hash.
    public let prefix: UInt64

    /// Names a reach.
    public init(log: LogName, number: UInt64, prefix: UInt64) {
        self.log = log
        self.number = number
        self.prefix = prefix
    }

    /// The reach of a log that ends at a known batch.
    public init(_ head: LogHead) {
        self.init(log: head.log, number: head.number, prefix: head.hash.prefix)
    }
}

extension BatchHash {
    /// The first eight bytes, most significant first.
    public var prefix: UInt64 { bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }
}

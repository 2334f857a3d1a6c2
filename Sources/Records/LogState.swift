/// The part of one log that a replica holds.
public struct LogState: Hashable, Sendable {
    /// The log.
    public let log: LogName
    /// The number of the first batch held.
    public let low: UInt64
    /// The number of the last batch held; no batch is missing in between.
    public let high: UInt64
    /// The hash of the last batch's header; it also commits to all batches before it.
    public let headHash: BatchHash

    /// Creates a state from a range of a log and its last hash.
    public init(log: LogName, low: UInt64, high: UInt64, headHash: BatchHash) {
        self.log = log
        self.low = low
        self.high = high
        self.headHash = headHash
    }

    /// The last batch of the log.
    public var head: LogHead { LogHead(log: log, number: high, hash: headHash) }
}

extension Digest {
    /// Returns a digest that is equal on two replicas exactly if they hold the same logs up to the
    /// same batches: the first 16 bytes of the hash over each log's head (device, branch, number as
    /// a varint, hash), in the order of the logs.
    public static func ofLogs(_ states: some Sequence<LogState>) -> Bytes16 {
        var bytes: [UInt8] = []
        for state in states.sorted(by: { $0.log < $1.log }) { state.head.encode(into: &bytes) }
        return Bytes16(prefixOf: Digest.logs.hash(bytes))
    }
}

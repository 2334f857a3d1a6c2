/// How much of one log a replica holds.
public struct LogState: Hashable, Sendable {
    public let log: LogName
    /// The number of the first batch held.
    public let low: UInt64
    /// The number of the last batch held; nothing is missing in between.
    public let high: UInt64
    /// The hash of the last batch's header; it stands for all before it.
    public let headHash: BatchHash

    /// Names a range of a log and its end.
    public init(log: LogName, low: UInt64, high: UInt64, headHash: BatchHash) {
        self.log = log
        self.low = low
        self.high = high
        self.headHash = headHash
    }

    /// The log's last batch.
    public var head: LogHead { LogHead(log: log, number: high, hash: headHash) }
}

extension Digest {
    /// What two replicas of a space compare: equal exactly when they hold the same logs up to the
    /// same batches. The first 16 bytes of the hash over each log's head in the order of the logs:
    /// device, branch, number as a varint, hash.
    public static func ofLogs(_ states: some Sequence<LogState>) -> Bytes16 {
        var bytes: [UInt8] = []
        for state in states.sorted(by: { $0.log < $1.log }) { state.head.encode(into: &bytes) }
        return Bytes16(prefixOf: Digest.logs.hash(bytes))
    }
}

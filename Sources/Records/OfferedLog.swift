/// The part of one log of an open space that a replica has, as it is offered to peers.
public struct OfferedLog: Hashable, Sendable {
    /// The log.
    public let log: LogName
    /// The number of the first batch there. Batches before it expired or were removed for room.
    public let low: UInt64
    /// The number of the last batch there; no batch is missing in between.
    public let high: UInt64
    /// The first eight bytes of the last batch's hash.
    public let prefix: UInt64

    /// Creates an offer from its parts.
    public init(log: LogName, low: UInt64, high: UInt64, prefix: UInt64) {
        self.log = log
        self.low = low
        self.high = high
        self.prefix = prefix
    }

    /// Creates the offer of a stored log.
    public init(_ state: LogState) {
        self.init(
            log: state.log, low: state.low, high: state.high, prefix: state.headHash.prefix)
    }
}

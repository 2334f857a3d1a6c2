public import Records

/// The logs that a replica has of an open space, or those that changed.
public struct OpenOffer: Hashable, Sendable {
    /// The revision of the offer. It rises with each change, and begins again at each start.
    public let revision: UInt64
    /// The digest of the whole offer: of every log's name, first and last number and last hash. It
    /// is equal on two replicas exactly if they have the same batches.
    public let digest: Bytes16
    /// The logs, in order: all, or those that changed.
    public let logs: [OfferedLog]
    /// The logs that are gone, if only changes are named, in order.
    public let gone: [LogName]
    /// Whether all logs are named.
    public let isWhole: Bool
}

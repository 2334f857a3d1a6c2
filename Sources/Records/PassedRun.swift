/// A piece of one log of an open space, as it is passed to a peer that asked for it.
///
/// The log may begin before the piece. The hash before it is part of what the author signed, so the
/// run proves it.
public struct PassedRun: Hashable, Sendable {
    /// The encoded record of the author's person; nil if the peer knows it.
    public let record: [UInt8]?
    /// The hash of the batch before the run; ``BatchHash/none`` before number 1.
    public let previous: BatchHash
    /// The batches.
    public let run: Run

    /// Creates a piece from its parts.
    public init(record: [UInt8]?, previous: BatchHash, run: Run) {
        self.record = record
        self.previous = previous
        self.run = run
    }
}

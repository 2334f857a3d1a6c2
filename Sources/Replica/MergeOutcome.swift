public import Records

/// What came of merging runs. Everything in it is synced to the disk.
public struct MergeOutcome: Sendable {
    /// The batches that were applied: of these runs, and held ones that were due by now.
    public internal(set) var commits: [Commit] = []
    /// What was new, per run that brought something.
    public internal(set) var stored: [StoredRange] = []
    /// The head of the log in which each run's batches lie here, by its place among the runs that
    /// were given; none for a run that was refused or does not count.
    public internal(set) var heads: [Int: LogHead] = [:]
    /// Why a run was refused, by its place among the runs that were given.
    public internal(set) var faults: [Int: BatchFault] = [:]

    /// Consecutive batches of one log that were not here before.
    public struct StoredRange: Hashable, Sendable {
        /// The space of the log.
        public let space: SpaceID
        /// The log that grew.
        public let log: LogName
        /// The first to the last of the batches.
        public let numbers: ClosedRange<UInt64>
    }
}

public import Records

/// The result of merging runs. Everything in it is synced to the disk.
public struct MergeOutcome: Sendable {
    /// The applied batches: of these runs, and held ones that became due.
    public internal(set) var commits: [Commit] = []
    /// The new batches of each run that had any.
    public internal(set) var stored: [StoredRange] = []
    /// The head of the log that contains a run's batches here, by the run's index; none for a run
    /// that was refused or does not count.
    public internal(set) var heads: [Int: LogHead] = [:]
    /// The reason a run was refused, by the run's index.
    public internal(set) var faults: [Int: BatchFault] = [:]

    /// Consecutive batches of one log that were new here.
    public struct StoredRange: Hashable, Sendable {
        /// The space of the log.
        public let space: SpaceID
        /// The log that grew.
        public let log: LogName
        /// The numbers of the first and last batch.
        public let numbers: ClosedRange<UInt64>
    }
}

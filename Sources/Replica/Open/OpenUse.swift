public import Records

/// The room that an open space takes on this replica, for `status` and for the choice of whom to
/// ask.
public struct OpenUse: Hashable, Sendable {
    /// The bytes of all batches and authors' records, as quotas count them.
    public internal(set) var bytes = 0
    /// The number of records that stored batches begin.
    public internal(set) var records = 0
    /// The number of logs of unknown authors.
    public internal(set) var unknownLogs = 0
    /// The amount that each person brought of unknown authors' logs. Each linked or retained person
    /// has a share of the room for it, and all others have one together.
    public internal(set) var bringers: [PersonID: Share] = [:]
    /// The linked and retained people who have brought their share: nothing more of unknown authors
    /// is stored from them until something of theirs expires, or there are fewer shares.
    public internal(set) var fullBringers: Set<PersonID> = []
    /// The logs over their authors' allowance, with the time at which more may be read.
    public internal(set) var overAllowance: [OverAllowance] = []

    /// A part of the space.
    public struct Share: Hashable, Sendable {
        /// The bytes of batches and authors' records.
        public internal(set) var bytes = 0
        /// The number of records that batches begin.
        public internal(set) var records = 0
        /// The number of logs.
        public internal(set) var logs = 0
    }

    /// A log that is not read further for now.
    public struct OverAllowance: Hashable, Sendable {
        /// The log.
        public let log: LogName
        /// The author.
        public let person: PersonID
        /// The time at which more may be read.
        public let until: Timestamp
    }
}

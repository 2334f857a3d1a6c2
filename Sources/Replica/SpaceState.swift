internal import Records

/// What is kept in memory of one space. A transaction works on a copy, which takes the original's
/// place only when the commit has succeeded.
struct SpaceState {
    /// The space's number in this database.
    let number: Int64
    let id: SpaceID
    let descriptor: SpaceDescriptor
    var clock = HybridClock()
    private(set) var logs: [LogName: LogEntry] = [:]
    private(set) var namesByNumber: [Int64: LogName] = [:]
    /// Batches stored but inert until due.
    var heldCount = 0
    /// Operations that broke a rule.
    var voidCount = 0
    /// Operations whose entity is not known yet.
    var waitingCount = 0
    /// The digest of the heads.
    private(set) var digest: Bytes16

    init(number: Int64, descriptor: SpaceDescriptor) {
        self.number = number
        self.id = descriptor.id
        self.descriptor = descriptor
        digest = Digest.ofLogs([])
    }

    /// One log: its number here, its author's person and its end.
    struct LogEntry {
        let number: Int64
        let person: PersonID
        /// The number of the last batch; 0 when there is none yet.
        var high: UInt64 = 0
        var headHash = BatchHash.none
        var headStamp = Stamp(milliseconds: 0)
    }

    /// Enters a log, or its new end.
    mutating func update(_ log: LogName, _ entry: LogEntry) {
        logs[log] = entry
        namesByNumber[entry.number] = log
    }

    /// Computes the digest again after logs have grown.
    mutating func refreshDigest() {
        digest = Digest.ofLogs(heads)
    }

    /// The logs that hold a batch, in order.
    var heads: [LogState] {
        logs.filter { $0.value.high > 0 }
            .map { name, entry in
                LogState(log: name, low: 1, high: entry.high, headHash: entry.headHash)
            }
            .sorted { $0.log < $1.log }
    }

    /// How many batches are stored.
    var batchCount: Int { logs.values.reduce(0) { $0 + Int(clamping: $1.high) } }

    /// The author of a local log number.
    func author(_ number: Int64) -> PlacedBatch.Author? {
        guard let name = namesByNumber[number], let entry = logs[name] else { return nil }
        return PlacedBatch.Author(log: name, person: entry.person)
    }
}

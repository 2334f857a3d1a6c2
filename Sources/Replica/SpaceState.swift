internal import Records

/// What is kept in memory of one space. A transaction works on a copy, which takes the original's
/// place only when the commit has succeeded.
///
/// A log is kept in rows: where its device forked it, the shared beginning and each side are a row
/// of their own, named by the first batch's hash. Which row goes on from which is ``LogEntry``'s
/// origin. What the space says of itself, by ``heads``, follows from the batches that count alone.
struct SpaceState {
    /// The space's number in this database.
    let number: Int64
    let id: SpaceID
    let descriptor: SpaceDescriptor
    var clock = HybridClock()
    private(set) var logs: [LogName: LogEntry] = [:]
    private(set) var namesByNumber: [Int64: LogName] = [:]
    /// The rows of each device, by their names.
    private var rowsByDevice: [DeviceID: [LogName]] = [:]
    /// Batches stored but inert until due.
    var heldCount = 0
    /// The stamp of the first held batch that falls due, or nil where none is held.
    var firstHeld: Stamp?
    /// Operations that broke a rule, control operations aside.
    var brokenCount = 0
    /// Operations whose entity is not known yet.
    var waitingCount = 0
    /// Batches whose body is not here though no erase names them.
    var missingCount = 0
    /// Whether a stored batch was met that the disk damaged.
    var hasDamage = false
    /// The control operations of all batches that are stored and due, erases aside.
    var facts: [ControlFact] = []
    /// How many erases stand in batches that are stored and due.
    var erasureCount = 0
    /// Who belongs to the space, by these facts.
    var membership: Membership
    /// Rows in which nothing counts but accepting and cutting oneself.
    var silentLogs: Set<LogName> = []
    /// The batches that cuts name.
    var namedHashes: Set<BatchHash> = []
    /// The logs of the space by the batches that count, in order.
    private(set) var paths: [LogPath] = []
    /// The digest of the heads.
    private(set) var digest: Bytes16

    init(number: Int64, descriptor: SpaceDescriptor) {
        self.number = number
        self.id = descriptor.id
        self.descriptor = descriptor
        membership = Membership(of: descriptor)
        digest = Digest.ofLogs([])
    }

    /// One row of a log: its number here, its author's person and its end.
    struct LogEntry {
        let number: Int64
        let person: PersonID
        /// The row it goes on from, where it is one side of a fork.
        var origin: LogName?
        /// The number of the first batch.
        var low: UInt64 = 1
        /// The number of the last batch; `low - 1` when there is none.
        var high: UInt64 = 0
        var headHash = BatchHash.none
        var headStamp = Stamp(milliseconds: 0)
        /// The number up to which the batches count that are here or may come.
        var reach: UInt64 = 0
        /// The number of the last batch that counts; `low - 1` when there is none.
        var counted: UInt64 = 0
        /// The hash of that batch.
        var countedHash = BatchHash.none
        /// Whether this replica's own batches go on here, of several rows of its device.
        var isWritten = false

        /// Whether any batch counts.
        var counts: Bool { counted >= low }

        /// Takes a batch as the new end.
        mutating func append(_ batch: CheckedBatch) {
            high = batch.header.number
            headHash = batch.hash
            headStamp = batch.header.stamp
            guard high <= reach else { return }
            counted = high
            countedHash = headHash
        }
    }

    /// Enters a row, or its new end.
    mutating func update(_ log: LogName, _ entry: LogEntry) {
        guard logs.updateValue(entry, forKey: log) == nil else { return }
        namesByNumber[entry.number] = log
        rowsByDevice[log.device] = (rows(of: log.device) + [log]).sorted()
    }

    /// Changes a row that is here.
    mutating func change(_ log: LogName, _ change: (inout LogEntry) -> Void) {
        guard var entry = logs[log] else { return }
        change(&entry)
        logs[log] = entry
    }

    /// Takes a row out.
    mutating func remove(_ log: LogName) {
        guard let entry = logs.removeValue(forKey: log) else { return }
        namesByNumber[entry.number] = nil
        rowsByDevice[log.device]?.removeAll { $0 == log }
    }

    /// Computes paths and digest again after logs have grown.
    mutating func refreshDigest() {
        paths = LogPath.all(of: logs)
        digest = Digest.ofLogs(heads)
    }

    /// The logs in which a batch counts, in order.
    var heads: [LogState] { paths.map(\.state) }

    /// How many batches count.
    var batchCount: Int {
        logs.values.reduce(0) { $0 + ($1.counts ? Int(clamping: $1.counted - $1.low + 1) : 0) }
    }

    /// Operations that count for nothing: those that broke a rule, and control operations without
    /// the right.
    var voidCount: Int { brokenCount + membership.voidCount }

    /// The author of a local log number.
    func author(_ number: Int64) -> PlacedBatch.Author? {
        guard let name = namesByNumber[number], let entry = logs[name] else { return nil }
        return PlacedBatch.Author(log: name, person: entry.person)
    }

    /// When the first held batch is due, in milliseconds since 1970; nil where none is held.
    var nextDueMilliseconds: UInt64? {
        heldCount > 0 ? firstHeld.map(HybridClock.dueMilliseconds) : nil
    }

    /// Whether a held batch has become due.
    func hasDue(wallMilliseconds: Int64) -> Bool {
        guard heldCount > 0 else { return false }
        return firstHeld.map { !HybridClock.isHeld($0, wallMilliseconds: wallMilliseconds) } ?? true
    }

    /// How the rows hang together, and where the batches lie that cuts name.
    func tree(_ places: [LogHead: LogName]) -> LogTree {
        let origins = logs.compactMapValues { entry in
            entry.origin.map { LogTree.Origin(log: $0, number: entry.low - 1) }
        }
        return LogTree(origins: origins, places: places)
    }

    /// The row a row goes on from in the end; its branch is that of its first batch's header.
    func root(of log: LogName) -> LogName {
        var log = log
        while let origin = logs[log]?.origin { log = origin }
        return log
    }

    /// The rows that go on from a row's end, by their names.
    func sides(of log: LogName) -> [LogName] {
        rows(of: log.device).filter { logs[$0]?.origin == log }
    }

    /// The rows of a device, by their names.
    func rows(of device: DeviceID) -> [LogName] { rowsByDevice[device] ?? [] }

    /// The log, as the space names it, of which a row is a part that counts.
    func path(containing row: LogName) -> LogPath? {
        paths.first { $0.rows.contains(row) }
    }

    /// The log of a name.
    func path(_ log: LogName) -> LogPath? { paths.first { $0.state.log == log } }

    /// Where a batch that counts is stored.
    func place(of log: LogName, number: UInt64) -> BatchPlace? {
        guard let path = path(log), number <= path.state.high else { return nil }
        for row in path.rows {
            if let entry = logs[row], (entry.low...max(entry.low, entry.counted)).contains(number) {
                return BatchPlace(log: entry.number, number: number)
            }
        }
        return nil
    }

    /// The devices that signed two batches of one number, as far as both sides are here.
    var forkedDevices: [DeviceID] {
        Set(logs.filter { $0.value.origin != nil }.map(\.key.device)).sorted()
    }
}

internal import Records

/// The state of one space in memory. A transaction works on a copy, which replaces the original
/// after the commit.
///
/// A log is stored in rows. If its device forked it, the shared beginning and each side are
/// separate rows, named by the hash of their first batch. ``LogEntry/origin`` names the row that a
/// row continues. ``heads`` depends only on the batches that count.
struct SpaceState {
    /// The space's number in this database.
    let number: Int64
    let id: SpaceID
    let descriptor: SpaceDescriptor
    var clock = HybridClock()
    private(set) var logs: SharedMap<LogName, LogEntry> = [:]
    private(set) var namesByNumber: SharedMap<Int64, LogName> = [:]
    /// The rows of each device, ordered by name.
    private var rowsByDevice: SharedMap<DeviceID, [LogName]> = [:]
    /// The bytes that each person's stored batches take; see ``LogEntry/storedBytes``.
    private(set) var bytesByPerson: SharedMap<PersonID, Int> = [:]
    /// The bytes that all stored batches take.
    private(set) var storedBytes = 0
    /// The rows that each person's batches have in tables whose length they decide.
    private(set) var rowsByPerson: SharedMap<PersonID, RowCounts> = [:]
    /// These rows of all logs.
    private(set) var rowCounts = RowCounts()
    /// The number of stored batches that are inert until they are due.
    var heldCount = 0
    /// The stamp of the first held batch that becomes due, or nil if none is held.
    var firstHeld: Stamp?
    /// The work of rebuilds that no person was charged for: held batches became due, or logs were
    /// attributed again.
    var rebuildDebt = RebuildDebt()
    /// The units of work that the last rebuild took; 0 if there was none since the start.
    var lastRebuildUnits = 0
    /// The damaged batches that were met.
    var damage = DamageSightings()
    /// The control operations of stored batches that are due and can have an effect; see
    /// ``learn(_:)``.
    var facts: [ControlFact] = []
    /// The same of an open space, by author: cuts of different people are independent there, and
    /// strangers decide how many there are.
    var factsByPerson: [PersonID: [ControlFact]] = [:]
    /// The owners whose grants and cuts of others are among the facts.
    var loadedOwners: Set<PersonID> = []
    /// The rows of the batches that cuts name, if these are stored and were looked up.
    private var places: [LogHead: LogName] = [:]
    /// The batches that cuts name and that are not stored.
    private var absentHeads: Set<LogHead> = []
    /// Whether a batch that is stored and due has an erase.
    var hasErasures = false
    /// The membership that follows from these facts.
    var membership: Membership
    /// For each device claimed by several people: the candidates, most preferred first.
    var claimants: [DeviceID: [PersonID]] = [:]
    /// For each person, the devices that their record no longer listed when the membership was
    /// judged.
    var removed: [PersonID: Set<DeviceID>] = [:]
    /// The same as it is known now.
    var removedNow: [PersonID: Set<DeviceID>] = [:]
    /// Whether ``claimants`` are out of date until the space may be merged again.
    var isAttributionPostponed = false
    /// The rows in which only accepting and cutting oneself count.
    var silentLogs: Set<LogName> = []
    /// The batches that cuts name.
    var namedHashes: Set<BatchHash> = []
    /// The amounts that the logs take by author and bringer, if the space is open.
    private(set) var totals = OpenTotals()
    /// The logs of the space by the batches that count.
    private(set) var paths: LogPaths
    /// The digest of the heads.
    private(set) var digest: Bytes16
    /// The logs that peers are offered, if the space is open.
    private(set) var offers: OpenOffers?
    /// The devices whose logs changed since the paths were computed, if the space is open.
    private var changedDevices: Set<DeviceID> = []

    init(number: Int64, descriptor: SpaceDescriptor) {
        self.number = number
        self.id = descriptor.id
        self.descriptor = descriptor
        membership = Membership(of: descriptor)
        digest = Digest.ofLogs([])
        paths = LogPaths(isOpen: descriptor.kind == .open)
        if isOpen {
            let offers = OpenOffers()
            digest = offers.digest
            self.offers = offers
        }
    }

    /// Whether the space is open: joined by name, bounded, and of records that expire.
    var isOpen: Bool { descriptor.kind == .open }

    /// Adds a row, or updates its head.
    mutating func update(_ log: LogName, _ entry: LogEntry) {
        let before = logs.updateValue(entry, forKey: log)
        account(for: entry, insteadOf: before)
        follow(log, before, to: entry)
        if isOpen { changedDevices.insert(log.device) }
        guard before == nil else { return }
        namesByNumber[entry.number] = log
        rowsByDevice[log.device] = (rows(of: log.device) + [log]).sorted()
    }

    /// Changes a known row.
    mutating func change(_ log: LogName, _ change: (inout LogEntry) -> Void) {
        guard var entry = logs[log] else { return }
        change(&entry)
        if isOpen { changedDevices.insert(log.device) }
        let before = logs.updateValue(entry, forKey: log)
        account(for: entry, insteadOf: before)
        follow(log, before, to: entry)
    }

    private mutating func follow(_ log: LogName, _ before: LogEntry?, to after: LogEntry?) {
        if isOpen { totals.update(log, before, to: after) }
    }

    /// Sets the bytes of a person's record that each of their logs is charged with in an open
    /// space; 0 if the record is here for another reason too.
    mutating func setRecordBytes(_ bytes: Int, of person: PersonID) {
        totals.setRecordBytes(bytes, of: person)
    }

    private mutating func account(for entry: LogEntry?, insteadOf before: LogEntry?) {
        if let before {
            bytesByPerson[before.person, default: 0] -= before.storedBytes
            storedBytes -= before.storedBytes
            rowsByPerson[before.person, default: RowCounts()] -= before.rows
            rowCounts -= before.rows
        }
        if let entry {
            bytesByPerson[entry.person, default: 0] += entry.storedBytes
            storedBytes += entry.storedBytes
            rowsByPerson[entry.person, default: RowCounts()] += entry.rows
            rowCounts += entry.rows
        }
        // The people of an open space come and go.
        guard isOpen, let before, before.person != entry?.person else { return }
        if bytesByPerson[before.person] == 0 { bytesByPerson[before.person] = nil }
        if rowsByPerson[before.person] == RowCounts() { rowsByPerson[before.person] = nil }
    }

    /// Adds to the rows of logs, by their local numbers.
    mutating func count(_ added: [Int64: RowCounts]) {
        for (number, rows) in added where rows != RowCounts() {
            guard let log = namesByNumber[number] else { continue }
            change(log) { $0.rows += rows }
        }
    }

    /// Sets some of the counts of all logs to 0, after their rows were deleted.
    mutating func clearCounts(_ clear: (inout RowCounts) -> Void) {
        for log in Array(logs.keys) { change(log) { clear(&$0.rows) } }
    }

    /// Clears the cached rows of the batches that cuts name, after rows changed or such a batch
    /// arrived.
    mutating func forgetPlaces() {
        places = [:]
        absentHeads = []
    }

    /// Returns the rows of the batches that the facts name.
    mutating func places(in batches: BatchTable) throws -> [LogHead: LogName] {
        let facts = isOpen ? factsByPerson.values.flatMap(\.self) : self.facts
        let heads = Set(facts.lazy.flatMap(\.heads))
        namedHashes = Set(heads.lazy.map(\.hash))
        for head in heads where places[head] == nil && !absentHeads.contains(head) {
            if let row = try row(of: head, batches) {
                places[head] = row
            } else {
                absentHeads.insert(head)
            }
        }
        return places
    }

    /// Returns the row that contains a batch, or nil if it is not stored.
    func row(of head: LogHead, _ batches: BatchTable) throws -> LogName? {
        try rows(of: head.log.device).first { name in
            guard let entry = logs[name], entry.low <= head.number, head.number <= entry.high
            else { return false }
            let place = BatchPlace(log: entry.number, number: head.number)
            return try batches.hash(at: place) == head.hash
        }
    }

    /// Removes a row.
    mutating func remove(_ log: LogName) {
        guard let entry = logs.removeValue(forKey: log) else { return }
        if isOpen { changedDevices.insert(log.device) }
        account(for: nil, insteadOf: entry)
        follow(log, entry, to: nil)
        namesByNumber[entry.number] = nil
        rowsByDevice[log.device]?.removeAll { $0 == log }
        if rowsByDevice[log.device]?.isEmpty == true { rowsByDevice[log.device] = nil }
    }

    /// Computes paths and digest again after logs have grown.
    mutating func refreshDigest() {
        guard isOpen else {
            paths.replaceAll(with: LogPath.all(of: logs))
            digest = Digest.ofLogs(heads)
            return
        }
        refreshOffers()
    }

    /// The rows that may differ from those in the file: all, or in an open space, which may have
    /// thousands of rows, those of the devices whose logs changed.
    var rowsToStore: [LogName] {
        isOpen ? changedDevices.flatMap(rows) : Array(logs.keys)
    }

    /// Computes the paths of the changed devices' logs again, and the offer of them.
    private mutating func refreshOffers() {
        guard !changedDevices.isEmpty else { return }
        var before: [LogName: LogState] = [:]
        for device in changedDevices {
            for path in paths[device] { before[path.state.log] = path.state }
            var entries: SharedMap<LogName, LogEntry> = [:]
            for row in rows(of: device) { entries[row] = logs[row] }
            paths[device] = LogPath.all(of: entries)[...]
        }
        offers?.update(before, to: paths, of: changedDevices)
        changedDevices = []
        if let offers { digest = offers.digest }
    }

    /// Keeps the revisions of an earlier state, from which this one was read again.
    mutating func keepOffers(of earlier: SpaceState) {
        guard isOpen else { return }
        let devices = Set(earlier.rowsByDevice.keys).union(rowsByDevice.keys)
        offers = earlier.offers
        let before = Dictionary(
            earlier.paths.all.map { ($0.state.log, $0.state) }, uniquingKeysWith: { $1 })
        offers?.update(before, to: paths, of: devices)
        if let offers { digest = offers.digest }
    }

    /// The logs in which a batch counts, in order.
    var heads: [LogState] { paths.all.map(\.state) }

    /// The number of batches that count.
    var batchCount: Int {
        logs.values.reduce(0) { $0 + ($1.counts ? Int(clamping: $1.counted - $1.low + 1) : 0) }
    }

    /// The number of operations that broke a rule, without control operations.
    var brokenCount: Int { rowCounts.void }
    /// The number of operations whose entity is not known yet.
    var waitingCount: Int { rowCounts.waiting }
    /// The number of batches without a body although no erase names them.
    var missingCount: Int { rowCounts.missing }

    /// The number of operations without effect: those that broke a rule, and control operations by
    /// people without the right.
    var voidCount: Int { brokenCount + membership.voidCount }

    /// Returns the author of the log with a local number.
    func author(_ number: Int64) -> PlacedBatch.Author? {
        guard let name = namesByNumber[number], let entry = logs[name] else { return nil }
        return PlacedBatch.Author(log: name, person: entry.person)
    }

    /// Whether claims decide about stored batches otherwise than those that are known.
    func isConcerned(by changed: RivalClaims.Standing) -> Bool {
        removed != changed.removed
            && (facts.contains(where: \.isOwnCut) || !factsByPerson.isEmpty)
            || !rowsByDevice.keys.allSatisfy { claimants[$0] == changed.candidates[$0] }
    }

    /// The claims by which the membership was judged.
    var standing: RivalClaims.Standing {
        RivalClaims.Standing(candidates: claimants, removed: removed)
    }

    /// Adopts claims before the membership is judged by them.
    mutating func adopt(_ standing: RivalClaims.Standing) {
        claimants = standing.candidates
        (removed, removedNow) = (standing.removed, standing.removed)
    }

    /// Whether a person's record no longer lists a device.
    func isRemoved(_ device: DeviceID, of person: PersonID) -> Bool {
        removedNow[person]?.contains(device) ?? false
    }

    /// Returns how the rows continue each other, and the rows of the batches that cuts name.
    func tree(_ places: [LogHead: LogName]) -> LogTree {
        var origins: [LogName: LogTree.Origin] = [:]
        for (log, entry) in logs {
            origins[log] = entry.origin.map { LogTree.Origin(log: $0, number: entry.low - 1) }
        }
        return LogTree(origins: origins, places: places)
    }

    /// Returns the first of the rows that a row continues; its branch is that of its batches'
    /// headers.
    func root(of log: LogName) -> LogName {
        var log = log
        while let origin = logs[log]?.origin { log = origin }
        return log
    }

    /// Returns the rows that continue a row's end, ordered by name.
    func sides(of log: LogName) -> [LogName] {
        rows(of: log.device).filter { logs[$0]?.origin == log }
    }

    /// Returns the rows of a device, ordered by name.
    func rows(of device: DeviceID) -> [LogName] { rowsByDevice[device] ?? [] }

    /// Whether any of these devices has a stored log.
    func hasLog(ofAny devices: Set<DeviceID>) -> Bool {
        devices.contains { rowsByDevice[$0]?.isEmpty == false }
    }

    /// Returns the log, as the space names it, that contains a row as a part that counts.
    func path(containing row: LogName) -> LogPath? {
        paths[row.device].first { $0.rows.contains(row) }
    }

    /// Returns the log of a name.
    func path(_ log: LogName) -> LogPath? { paths[log] }

    /// Returns the place of a batch that counts.
    func place(of log: LogName, number: UInt64) -> BatchPlace? {
        guard let path = path(log), number <= path.state.high else { return nil }
        for row in path.rows {
            if let entry = logs[row], (entry.low...max(entry.low, entry.counted)).contains(number) {
                return BatchPlace(log: entry.number, number: number)
            }
        }
        return nil
    }

    /// The devices that signed two batches of one number, if both are stored.
    var forkedDevices: [DeviceID] {
        Set(logs.lazy.filter { $0.value.origin != nil }.map(\.key.device)).sorted()
    }
}

internal import GRDB
internal import Identity
internal import Records

/// Reads the state that the replica keeps in memory. The cost grows with spaces, logs and held
/// batches, not with other batches.
struct StateLoader {
    let database: Database

    /// Returns all people, in no order.
    func people() throws -> [PersonRecord] {
        try GRDB.Row.fetchAll(database, sql: "SELECT record FROM person").map { row in
            do {
                return try PersonRecord(stored: row.bytes(0))
            } catch {
                throw RecordFault.notCanonical("a stored person record")
            }
        }
    }

    /// Returns the people who claim each device, in the order in which that became known.
    func claims() throws -> [DeviceID: [PersonID]] {
        var claims: [DeviceID: [PersonID]] = [:]
        for row in try GRDB.Row.fetchAll(
            database, sql: "SELECT device, person FROM device ORDER BY number")
        {
            let device = try row.identifier(0, as: DeviceID.self)
            claims[device, default: []].append(try row.identifier(1, as: PersonID.self))
        }
        return claims
    }

    /// Returns the people who are known only because a log of an open space needs their record,
    /// with the bytes of it.
    func brought() throws -> [PersonID: Int] {
        try GRDB.Row.fetchAll(
            database, sql: "SELECT person, length(record) FROM person WHERE brought = 1"
        ).reduce(into: [:]) { $0[try $1.identifier(0, as: PersonID.self)] = $1[1] }
    }

    /// Returns all spaces with their logs, clocks and counts.
    func spaces() throws -> [SpaceState] {
        let standing = RivalClaims(among: try people()).standing
        return try GRDB.Row.fetchAll(database, sql: "SELECT number, descriptor FROM space").map {
            try space($0[0], SpaceDescriptor(decoding: $0.bytes(1)), standing)
        }
    }

    /// Returns one space with its logs, clock and counts.
    /// - Parameters:
    ///   - number: the space's number in this database.
    ///   - standing: who claims which devices.
    func space(
        _ number: Int64, _ descriptor: SpaceDescriptor, _ standing: RivalClaims.Standing
    ) throws -> SpaceState {
        var space = SpaceState(number: number, descriptor: descriptor)
        space.adopt(standing)
        try loadLogs(of: &space)
        space.heldCount = try count("held", number)
        space.firstHeld = try HeldTable(database: database, space: number).first()
        if try !space.loadFacts(database) { space.damage.recordFound() }
        space.hasErasures = try ErasureTable(database: database, space: number).hasAny()
        try space.refreshMembership(BatchTable(database: database))
        space.refreshDigest()
        return space
    }

    private func loadLogs(of space: inout SpaceState) throws {
        let batches = BatchTable(database: database)
        var latest: [LogName: Stamp] = [:]
        for row in try GRDB.Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT number, device, branch, person, low, written, \(LogBytes.ofRow), summed,
                        \(RowCountColumns.names), previous, previous_stamp, bringer, begun
                    FROM log WHERE space = ?
                    """), arguments: [space.number])
        {
            let name = LogName(
                device: try row.identifier(1, as: DeviceID.self),
                branch: try row.identifier(2, as: BranchName.self))
            let entry = try entry(row, batches, isOpen: space.isOpen)
            space.update(name, entry)
            latest[name] = try batches.lastApplied(ofLog: entry.number)?.stamp
        }
        try loadOrigins(of: &space)
        // A damaged stamp could put the clock ahead.
        for row in try checkHeads(of: &space) { latest[row] = nil }
        if space.isOpen {
            for (person, bytes) in try brought() where space.totals.authors[person] != nil {
                space.setRecordBytes(bytes, of: person)
            }
        }
        // In an open space, strangers' stamps do not move the clock.
        if space.isOpen { latest = [:] }
        space.clock = HybridClock(latest: latest.values.max() ?? Stamp(.min))
    }

    private func entry(
        _ row: GRDB.Row, _ batches: BatchTable, isOpen: Bool
    ) throws -> SpaceState.LogEntry {
        var entry = SpaceState.LogEntry(
            number: row[0], person: try row.identifier(3, as: PersonID.self))
        let low: Int64 = row[4]
        entry.low = UInt64(clamping: low)
        entry.high = entry.low - 1
        entry.isWritten = row[5]
        entry.bytes = row[6]
        let summed: Int64 = row[7]
        entry.summed = UInt64(clamping: summed)
        entry.storedRows = RowCounts(void: row[8], waiting: row[9], missing: row[10])
        entry.rows = entry.storedRows
        if isOpen {
            entry.previous = row[11] == nil ? .none : try row.identifier(11, as: BatchHash.self)
            entry.previousStamp = row[12] == nil ? nil : try row.stamp(12)
            entry.bringer = row[13] == nil ? nil : try row.identifier(13, as: PersonID.self)
            entry.begunCount = row[14]
            (entry.headHash, entry.headStamp) = (
                entry.previous, entry.previousStamp ?? Stamp(.min)
            )
            entry.lowStamp = try batches.first(ofLog: entry.number)?.stamp ?? Stamp(.min)
        }
        if let head = try batches.head(ofLog: entry.number) {
            entry.high = head.place.number
            entry.headHash = head.hash
            entry.headStamp = head.stamp
        }
        return entry
    }

    /// Checks that each log's head is what its author signed. With a damaged hash, the next batch
    /// from a peer would look like a fork by its honest author.
    /// - Returns: the rows whose head is damaged.
    private func checkHeads(of space: inout SpaceState) throws -> [LogName] {
        let audit = LogAudit(space: space, batches: BatchTable(database: database))
        var damaged: [LogName] = []
        for row in space.logs.keys {
            guard let (stored, hash) = try audit.damagedHead(of: row) else { continue }
            damaged.append(row)
            space.damage.recordFound()
            if stored.isSigned(as: hash, by: row.device) {
                space.change(row) { $0.headHash = hash }
            }
        }
        return damaged
    }

    private func loadOrigins(of space: inout SpaceState) throws {
        let batches = BatchTable(database: database)
        for row in try GRDB.Row.fetchAll(
            database.cachedStatement(
                sql: "SELECT number, parent FROM log WHERE space = ? AND parent IS NOT NULL"),
            arguments: [space.number])
        {
            guard let side = space.namesByNumber[row[0]], let origin = space.namesByNumber[row[1]]
            else { throw RecordFault.truncated }
            guard let low = space.logs[side]?.low else { continue }
            let isInRun = try batches.areInRun(
                BatchPlace(log: row[1], number: low - 1), BatchPlace(log: row[0], number: low))
            space.change(side) { ($0.origin, $0.isInRun) = (origin, isInRun) }
        }
    }

    /// Whether a repair cut a log of a device that this replica had.
    func hasCutLog(of device: DeviceID) throws -> Bool {
        try Int.fetchOne(
            database, sql: "SELECT 1 FROM cut_own WHERE device = ?", arguments: [device.sql]) != nil
    }

    /// Whether the files may still hold erased bytes.
    func isScrubDue() throws -> Bool {
        try Int.fetchOne(database, sql: "SELECT 1 FROM scrub LIMIT 1") != nil
    }

    private func count(_ table: String, _ space: Int64) throws -> Int {
        try PreparedStatement(database, "SELECT count(*) FROM \(table) WHERE space = ?")
            .first({ $0.append(space) }) { Int($0.integer(0)) } ?? 0
    }
}

internal import GRDB
public import Records

// The one repair: tables are rebuilt from the log, and a damaged log is cut off before the damage,
// so that peers send the rest again.
extension Replica {
    /// Returns SQLite's findings about the file; none if it is sound. It reads the whole file.
    public func fileFindings() throws -> [String] {
        try read { try $0.fileFindings(countMax: 100) }
    }

    /// Checks every batch of a space, cuts each log off before its first damaged batch, and
    /// rebuilds the tables. The vectors say less afterwards, so peers send the missing batches
    /// again.
    ///
    /// If the device's own log is cut, the file records it in the same transaction: even after a
    /// crash, the next start knows by ``hasCutOwnLog`` that this key must sign no more numbers.
    /// - Throws: ``BatchFault/unknownSpace``, ``ReplicaFault``; nothing was changed then.
    public func repair(_ space: SpaceID) throws -> RepairReport {
        let damaged = try damagedNow(in: space)
        guard let state = states[space] else { throw BatchFault.unknownSpace }
        guard !damaged.isEmpty else {
            try rebuild(space)
            return RepairReport(space: space, checkedCount: state.storedCount)
        }
        let isOwn = damaged.contains { $0.log.device == device }
        let done = try write { database in
            let transaction = try cut(damaged, from: state, database)
            if isOwn {
                try database.execute(
                    sql: "INSERT OR IGNORE INTO cut_own VALUES (?)", arguments: [device.sql])
            }
            try transaction.rebuild()
            return transaction.result
        }
        adopt([done])
        return RepairReport(
            space: space, checkedCount: state.storedCount, damaged: damaged,
            hasCutOwn: isOwn)
    }

    private func cut(
        _ damaged: [DamagedRange], from state: SpaceState, _ database: Database
    ) throws -> SpaceTransaction {
        var cut = state
        guard !state.isOpen else {
            let transaction = transaction(database, state, .min)
            for range in damaged { try transaction.cut(range) }
            try transaction.storeOpenRows()
            return transaction
        }
        for range in damaged { try LogCut(database: database).cut(range, in: &cut) }
        return transaction(database, cut, .min)
    }
}

/// The findings of a repair of one space, and its effects.
public struct RepairReport: Hashable, Sendable {
    /// The space.
    public let space: SpaceID
    /// The number of checked batches.
    public let checkedCount: Int
    /// The batches that differed from what their authors signed; each log now ends before its
    /// first.
    public var damaged: [DamagedRange] = []
    /// Whether a log of this device was cut. The device then stops writing under its key,
    /// because it would sign numbers a second time.
    public var hasCutOwn = false
}

/// Cuts damaged ends off the rows of a log.
struct LogCut {
    let database: Database

    /// Deletes a row's batches from the start of a range, and the rows that continue them.
    func cut(_ range: DamagedRange, in space: inout SpaceState) throws {
        let first = range.numbers.lowerBound
        let rows = space.path(range.log)?.rows ?? [range.log]
        for row in rows {
            guard let entry = space.logs[row], entry.high >= first else { continue }
            if entry.low >= first, entry.origin != nil {
                try LogDivision(database: database).drop(row, in: &space)
            } else {
                try shorten(row, entry, from: max(first, entry.low), in: &space)
            }
        }
    }

    private func shorten(
        _ row: LogName, _ entry: SpaceState.LogEntry, from first: UInt64,
        in space: inout SpaceState
    ) throws {
        for side in space.sides(of: row) {
            try LogDivision(database: database).drop(side, in: &space)
        }
        let start = BatchPlace(log: entry.number, number: first).rowID
        let end = BatchPlace.rows(ofLog: entry.number).upperBound
        for (table, column) in LogDivision.placeColumns {
            try database.execute(
                sql: "DELETE FROM \(table) WHERE \(column) BETWEEN ? AND ?",
                arguments: [start, end])
        }
        try database.execute(
            sql: "UPDATE acknowledged SET number = min(number, ?) WHERE log = ?",
            arguments: [Int64(clamping: first - 1), entry.number])
        space.change(row) { $0.high = first - 1 }
    }
}

extension SpaceState {
    /// The number of stored batches, whether they count or not.
    var storedCount: Int {
        logs.values.reduce(0) { $0 + Int(clamping: $1.high - ($1.low - 1)) }
    }
}

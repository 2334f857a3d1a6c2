internal import GRDB
internal import Records

/// Divides the rows of logs that their devices forked, and drops the sides that are not kept.
struct LogDivision {
    let database: Database

    /// Makes the end of a row, from the batch after a number on, a row of its own.
    /// - Parameter own: the replica's device, which goes on where it was.
    func divide(
        _ row: LogName, after number: UInt64, in space: inout SpaceState, own: DeviceID
    ) throws {
        guard var entry = space.logs[row] else { return }
        let batches = BatchTable(database: database)
        let first = BatchPlace(log: entry.number, number: number + 1)
        guard let name = try batches.hash(at: first) else { throw RecordFault.truncated }
        let side = LogName(device: row.device, branch: BranchName(raw: name.raw))
        let isWritten = entry.isWritten || row.device == own && !isWrittenElsewhere(row, space)
        try database.execute(
            sql: """
                INSERT INTO log (space, device, branch, person, parent, low, written)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                space.number, side.device.sql, side.branch.sql, entry.person.sql, entry.number,
                Int64(clamping: number + 1), isWritten,
            ])
        var end = SpaceState.LogEntry(number: database.lastInsertedRowID, person: entry.person)
        (end.origin, end.low, end.isWritten) = (row, number + 1, isWritten)
        (end.high, end.headHash, end.headStamp) = (entry.high, entry.headHash, entry.headStamp)
        try move(first.rowID...BatchPlace.rows(ofLog: entry.number).upperBound, to: end.number)
        try moveSides(of: entry.number, to: end.number)
        for other in space.sides(of: row) { space.change(other) { $0.origin = side } }
        space.facts = space.facts.map { fact in
            fact.batch.log == row && fact.batch.number > number ? fact.moved(to: side) : fact
        }
        try shorten(&entry, to: number, batches)
        space.update(row, entry)
        space.update(side, end)
    }

    private func isWrittenElsewhere(_ row: LogName, _ space: SpaceState) -> Bool {
        space.rows(of: row.device).contains { other in
            space.logs[other]?.isWritten == true && space.root(of: other) == space.root(of: row)
        }
    }

    private func shorten(
        _ entry: inout SpaceState.LogEntry, to number: UInt64, _ batches: BatchTable
    ) throws {
        let head = try batches.batch(at: BatchPlace(log: entry.number, number: number))
        entry.high = number
        entry.headHash = head?.hash ?? .none
        entry.headStamp = head?.stamp ?? Stamp(milliseconds: 0)
        entry.isWritten = false
        try database.execute(
            sql: "UPDATE log SET written = 0 WHERE number = ?", arguments: [entry.number])
    }

    private func moveSides(of old: Int64, to new: Int64) throws {
        try database.execute(
            sql: "UPDATE log SET parent = ? WHERE parent = ? AND number <> ?",
            arguments: [new, old, new])
    }

    /// The tables that name batches by their places and are not made anew by a rebuild.
    static let placeColumns = [
        ("batch", "id"), ("held", "batch"), ("control", "batch"),
        ("missing_body", "batch"), ("erasure", "batch"),
    ]

    /// Moves batches to another row under the same numbers.
    private func move(_ places: ClosedRange<Int64>, to log: Int64) throws {
        let old = BatchPlace(rowID: places.lowerBound).log
        let shift = (log - old) << 40
        for (table, column) in LogDivision.placeColumns {
            try database.execute(
                sql: """
                    UPDATE \(table) SET \(column) = \(column) + ? WHERE \(column) BETWEEN ? AND ?
                    """,
                arguments: [shift, places.lowerBound, places.upperBound])
        }
        try moveAcknowledgements(old, log, last: BatchPlace(rowID: places.lowerBound).number - 1)
    }

    /// Who holds batches after the division holds that side, and all before it.
    private func moveAcknowledgements(_ old: Int64, _ new: Int64, last: UInt64) throws {
        let arguments: StatementArguments = [
            "old": old, "new": new, "last": Int64(clamping: last),
        ]
        try database.execute(
            sql: """
                INSERT INTO acknowledged SELECT space, :new, device, number FROM acknowledged
                WHERE log = :old AND number > :last
                """, arguments: arguments)
        try database.execute(
            sql: "UPDATE acknowledged SET number = :last WHERE log = :old AND number > :last",
            arguments: ["old": old, "last": Int64(clamping: last)])
    }

    // MARK: Dropping

    /// Keeps of the sides at one point those that count before those that do not, and of these the
    /// ones with the smallest names, four at most; drops the others with all that goes on there.
    /// - Returns: the sides that were dropped.
    func prune(sidesOf row: LogName, in space: inout SpaceState) throws -> Set<LogName> {
        let sides = space.sides(of: row).sorted { one, other in
            let (isOne, isOther) = (counts(one, space), counts(other, space))
            return isOne != isOther ? isOne : one < other
        }
        let dropped = Set(sides.dropFirst(Limits.forkSidesMax))
        for side in dropped { try drop(side, in: &space) }
        return dropped
    }

    private func counts(_ log: LogName, _ space: SpaceState) -> Bool {
        space.logs[log]?.counts ?? false
    }

    func drop(_ row: LogName, in space: inout SpaceState) throws {
        for side in space.sides(of: row) { try drop(side, in: &space) }
        guard let number = space.logs[row]?.number else { return }
        let places = BatchPlace.rows(ofLog: number)
        for (table, column) in LogDivision.placeColumns {
            try database.execute(
                sql: "DELETE FROM \(table) WHERE \(column) BETWEEN ? AND ?",
                arguments: [places.lowerBound, places.upperBound])
            if table == "held" { space.heldCount -= database.changesCount }
            if table == "missing_body" { space.missingCount -= database.changesCount }
            if table == "erasure" { space.erasureCount -= database.changesCount }
        }
        try database.execute(sql: "DELETE FROM acknowledged WHERE log = ?", arguments: [number])
        try database.execute(sql: "DELETE FROM log WHERE number = ?", arguments: [number])
        space.facts.removeAll { $0.batch.log == row }
        space.remove(row)
    }
}

extension ControlFact {
    /// The same operation in a batch that lies in another row now.
    func moved(to log: LogName) -> ControlFact {
        ControlFact(
            author: author,
            batch: BatchName(log: log, number: batch.number, hash: batch.hash), stamp: stamp,
            index: index, action: action)
    }
}

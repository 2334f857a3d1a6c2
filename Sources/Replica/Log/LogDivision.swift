internal import GRDB
internal import Records

/// Divides the rows of forked logs, and drops sides over the limit.
///
/// Example: Ann's device was restored from an old backup and signed a second batch 5 after the same
/// batch 4. The replica has row *a* with batches 1 to 7 when the other batch 5 arrives.
/// ``divide(_:after:in:own:)`` shortens *a* to batches 1 to 4 and moves 5 to 7 to a new row, named
/// by the hash of that batch 5. The other batch 5 begins a third row, named by its own hash. Both
/// continue *a*, and a later batch 6 goes to the side whose hash it names. When a fifth side
/// appears, ``prune(logOf:in:)`` keeps four, the same four on every replica.
struct LogDivision {
    let database: Database

    /// Moves the batches of a row after a number to a new row.
    /// - Parameter own: the replica's device, which keeps writing on its own side.
    func divide(
        _ row: LogName, after number: UInt64, in space: inout SpaceState, own: DeviceID
    ) throws {
        guard var entry = space.logs[row] else { return }
        let batches = BatchTable(database: database)
        let first = BatchPlace(log: entry.number, number: number + 1)
        guard let name = try batches.hash(at: first) else { throw RecordFault.truncated }
        let side = LogName(device: row.device, branch: BranchName(raw: name.raw))
        let isWritten = entry.isWritten || row.device == own && !isWrittenElsewhere(row, space)
        var end = SpaceState.LogEntry(
            number: try insert(side, of: entry, low: number + 1, isWritten, space.number),
            person: entry.person)
        (end.origin, end.low, end.isWritten) = (row, number + 1, isWritten)
        end.isInRun = try batches.areInRun(BatchPlace(log: entry.number, number: number), first)
        (end.high, end.headHash, end.headStamp) = (entry.high, entry.headHash, entry.headStamp)
        end.bytes = try LogBytes(database: database).sum(entry.number, from: number + 1)
        entry.bytes -= end.bytes
        entry.summed = 0
        end.rows.missing = try move(
            first.rowID...BatchPlace.rows(ofLog: entry.number).upperBound, to: end.number)
        entry.rows -= end.rows
        try moveAcknowledgements(entry.number, end.number, last: number)
        try moveSides(of: entry.number, to: end.number)
        for other in space.sides(of: row) { space.change(other) { $0.origin = side } }
        space.mapFacts(of: entry.person) { fact in
            fact.batch.log == row && fact.batch.number > number ? fact.moved(to: side) : fact
        }
        try shorten(&entry, to: number, batches)
        space.update(row, entry)
        space.update(side, end)
        space.forgetPlaces()
    }

    /// - Returns: the local number of the new row.
    private func insert(
        _ side: LogName, of origin: SpaceState.LogEntry, low: UInt64, _ isWritten: Bool,
        _ space: Int64
    ) throws -> Int64 {
        try database.execute(
            sql: """
                INSERT INTO log (space, device, branch, person, parent, low, written)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                space, side.device.sql, side.branch.sql, origin.person.sql, origin.number,
                Int64(clamping: low), isWritten,
            ])
        return database.lastInsertedRowID
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
        entry.headStamp = head?.stamp ?? Stamp(.min)
        entry.isWritten = false
        try database.execute(
            sql: "UPDATE log SET written = 0 WHERE number = ?", arguments: [entry.number])
    }

    private func moveSides(of old: Int64, to new: Int64) throws {
        try database.execute(
            sql: "UPDATE log SET parent = ? WHERE parent = ? AND number <> ?",
            arguments: [new, old, new])
    }

    /// The tables that refer to batches by place and that a rebuild does not refill.
    static let placeColumns = [
        ("batch", "id"), ("held", "batch"), ("control", "batch"),
        ("missing_body", "batch"), ("erasure", "batch"),
    ]

    /// Moves batches to another row under the same numbers.
    /// - Returns: the number of batches among them that lack their body.
    @discardableResult
    private func move(_ places: ClosedRange<Int64>, to log: Int64) throws -> Int {
        let old = BatchPlace(rowID: places.lowerBound).log
        let shift = (log - old) << 40
        var missingCount = 0
        for (table, column) in LogDivision.placeColumns {
            try database.execute(
                sql: """
                    UPDATE \(table) SET \(column) = \(column) + ? WHERE \(column) BETWEEN ? AND ?
                    """,
                arguments: [shift, places.lowerBound, places.upperBound])
            if table == "missing_body" { missingCount = database.changesCount }
        }
        return missingCount
    }

    /// Splits acknowledgements: a device that holds batches after the division point holds that
    /// side, and everything before it.
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

    /// Drops the sides of a forked log that are not kept, with all rows that continue them, and
    /// joins a side with the row that it continues if that is no fork any more.
    /// - Returns: the dropped sides.
    func prune(logOf row: LogName, in space: inout SpaceState) throws -> Set<LogName> {
        let root = space.root(of: row)
        let dropped = ForkTree(root: root, in: space).surplus()
        guard !dropped.isEmpty else { return [] }
        for side in dropped { try drop(side, in: &space) }
        let tree = ForkTree(root: root, in: space)
        var rows = [root]
        while let row = rows.popLast() {
            var sides = tree.continuations(of: row)
            while sides.count == 1 {
                try join(row, with: sides[0], in: &space)
                sides = tree.continuations(of: sides[0])
            }
            rows += sides
        }
        return dropped
    }

    /// Moves the batches of the only side of a row to that row.
    private func join(
        _ row: LogName, with side: LogName, in space: inout SpaceState
    ) throws {
        guard var entry = space.logs[row], let end = space.logs[side] else { return }
        try move(BatchPlace.rows(ofLog: end.number), to: entry.number)
        let arguments: StatementArguments = ["old": end.number, "new": entry.number]
        try database.execute(
            sql: """
                INSERT INTO acknowledged SELECT space, :new, device, number FROM acknowledged
                WHERE log = :old
                ON CONFLICT DO UPDATE SET number = max(number, excluded.number)
                """, arguments: arguments)
        try database.execute(
            sql: "DELETE FROM acknowledged WHERE log = ?", arguments: [end.number])
        try database.execute(
            sql: "UPDATE log SET parent = :new WHERE parent = :old", arguments: arguments)
        try database.execute(
            sql: "UPDATE log SET written = max(written, ?) WHERE number = ?",
            arguments: [end.isWritten, entry.number])
        try database.execute(sql: "DELETE FROM log WHERE number = ?", arguments: [end.number])
        for other in space.sides(of: side) { space.change(other) { $0.origin = row } }
        space.mapFacts(of: entry.person) { $0.batch.log == side ? $0.moved(to: row) : $0 }
        (entry.high, entry.headHash, entry.headStamp) = (end.high, end.headHash, end.headStamp)
        entry.isWritten = entry.isWritten || end.isWritten
        entry.bytes += end.bytes
        entry.rows += end.rows
        entry.summed = 0
        space.remove(side)
        space.update(row, entry)
        space.forgetPlaces()
    }

    func drop(_ row: LogName, in space: inout SpaceState) throws {
        for side in space.sides(of: row) { try drop(side, in: &space) }
        guard let entry = space.logs[row] else { return }
        let number = entry.number
        let places = BatchPlace.rows(ofLog: number)
        for (table, column) in LogDivision.placeColumns {
            try database.execute(
                sql: "DELETE FROM \(table) WHERE \(column) BETWEEN ? AND ?",
                arguments: [places.lowerBound, places.upperBound])
            if table == "held" { space.heldCount -= database.changesCount }
        }
        space.hasErasures = try ErasureTable(database: database, space: space.number).hasAny()
        try database.execute(sql: "DELETE FROM acknowledged WHERE log = ?", arguments: [number])
        try database.execute(sql: "DELETE FROM log WHERE number = ?", arguments: [number])
        space.mapFacts(of: entry.person) { $0.batch.log == row ? nil : $0 }
        space.remove(row)
        space.forgetPlaces()
    }
}

extension ControlFact {
    /// Returns the same operation, in a batch that is now in another row.
    func moved(to log: LogName) -> ControlFact {
        ControlFact(
            author: author,
            batch: BatchName(log: log, number: batch.number, hash: batch.hash), stamp: stamp,
            index: index, action: action)
    }
}

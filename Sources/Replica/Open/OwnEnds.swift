internal import GRDB
internal import Records

/// The ends of this device's logs in open spaces that were left: its numbers are never used twice.
struct OwnEnds {
    let database: Database

    /// Keeps the ends of a device's logs in a space that is about to be closed.
    func keep(of space: SpaceState, device: DeviceID) throws {
        for row in space.rows(of: device) where space.sides(of: row).isEmpty {
            guard let entry = space.logs[row], entry.high > 0 else { continue }
            try database.execute(
                sql: "INSERT OR REPLACE INTO own_end VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                arguments: [
                    space.id.sql, device.sql, row.branch.sql, entry.person.sql,
                    Int64(clamping: entry.high), entry.headHash.sql, entry.headStamp.sql,
                    entry.isWritten,
                ])
        }
    }

    /// Makes the kept ends rows without batches, so that the logs go on after them.
    func restore(in space: inout SpaceState) throws {
        for row in try GRDB.Row.fetchAll(
            database,
            sql:
                "SELECT device, branch, person, number, hash, stamp, written FROM own_end WHERE space = ?",
            arguments: [space.id.sql])
        {
            let log = LogName(
                device: try row.identifier(0, as: DeviceID.self),
                branch: try row.identifier(1, as: BranchName.self))
            let number: Int64 = row[3]
            try database.execute(
                sql: """
                    INSERT INTO log (space, device, branch, person, low, written, previous,
                        previous_stamp)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    space.number, row.bytes(0).sql, row.bytes(1).sql, row.bytes(2).sql, number + 1,
                    row[6] as Bool, row.bytes(4).sql, row[5] as Int64,
                ])
            var entry = SpaceState.LogEntry(
                number: database.lastInsertedRowID,
                person: try row.identifier(2, as: PersonID.self))
            entry.high = UInt64(clamping: number)
            (entry.low, entry.counted) = (entry.high + 1, entry.high)
            entry.previous = try row.identifier(4, as: BatchHash.self)
            entry.previousStamp = try row.stamp(5)
            (entry.headHash, entry.headStamp) = (entry.previous, try row.stamp(5))
            entry.reach = space.membership.reach(of: log, by: entry.person)
            entry.isWritten = row[6]
            space.update(log, entry)
        }
        try database.execute(
            sql: "DELETE FROM own_end WHERE space = ?", arguments: [space.id.sql])
    }
}

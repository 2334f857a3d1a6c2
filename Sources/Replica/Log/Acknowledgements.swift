internal import GRDB
internal import Records

/// The batches of a space's logs that other devices hold durably.
struct Acknowledgements {
    let database: Database
    let space: Int64

    /// Stores a reach, unless it is of another branch than ours or lower than the stored one.
    func record(_ reach: LogReach, at place: BatchPlace, of device: DeviceID) throws {
        guard try BatchTable(database: database).hash(at: place)?.prefix == reach.prefix
        else { return }
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO acknowledged VALUES (?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET number = excluded.number
                WHERE excluded.number > acknowledged.number
                """)
        try statement.execute(arguments: [
            space, place.log, device.sql, Int64(clamping: reach.number),
        ])
    }

    /// Returns the last batch of an author that a device of a person holds; 0 for none.
    func number(of author: DeviceID, heldBy person: PersonID) throws -> UInt64 {
        let statement = try database.cachedStatement(
            sql: """
                SELECT max(a.number) FROM waggle_acknowledged a
                JOIN waggle_log l ON l.log = a.log
                WHERE a.space = ? AND l.device = ? AND a.person = ?
                """)
        let number = try Int64.fetchOne(statement, arguments: [space, author.sql, person.sql])
        return UInt64(clamping: number ?? 0)
    }
}

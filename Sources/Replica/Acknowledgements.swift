internal import GRDB
internal import Records

/// What other devices hold durably of a space's logs.
struct Acknowledgements {
    let database: Database
    let space: Int64

    /// Notes a reach, unless it is of another branch than ours or older than what is noted.
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
}

internal import GRDB
internal import Records

/// What other devices hold durably of a space's logs.
struct Acknowledgements {
    let database: Database
    let space: Int64

    /// Notes a reach, unless it is of another branch than ours or older than what is noted.
    func record(_ reach: LogReach, log: Int64, of device: DeviceID) throws {
        let place = BatchPlace(log: log, number: reach.number)
        guard try BatchTable(database: database).hash(at: place)?.prefix == reach.prefix
        else { return }
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO acknowledged VALUES (?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET number = excluded.number
                WHERE excluded.number > acknowledged.number
                """)
        try statement.execute(arguments: [
            space, log, device.sql, Int64(clamping: reach.number),
        ])
    }
}

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
}

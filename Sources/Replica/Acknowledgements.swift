internal import GRDB
internal import Records

/// What other devices hold durably of a space's logs.
struct Acknowledgements {
    let database: Database
    let space: Int64

    /// Notes a head, unless it is of another branch than ours or older than what is noted.
    func record(_ head: LogHead, log: Int64, of device: DeviceID) throws {
        let place = BatchPlace(log: log, number: head.number)
        guard try BatchTable(database: database).hash(at: place) == head.hash else { return }
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO acknowledged VALUES (?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET number = excluded.number
                WHERE excluded.number > acknowledged.number
                """)
        try statement.execute(arguments: [
            space, log, device.sql, Int64(clamping: head.number),
        ])
    }
}

internal import GRDB
internal import Records

/// The batches of a space's logs that other devices hold durably.
struct Acknowledgements {
    let database: Database
    let space: Int64

    /// Returns the places of the reaches that are in our logs and higher than the stored ones.
    func news(
        in reaches: [LogReach], of device: DeviceID, _ state: SpaceState
    ) throws -> [BatchPlace] {
        try reaches.compactMap { reach in
            guard let place = state.place(of: reach.log, number: reach.number),
                try number(inLog: place.log, heldBy: device) < place.number,
                try BatchTable(database: database).hash(at: place)?.prefix == reach.prefix
            else { return nil }
            return place
        }
    }

    /// Stores the last batches of logs that a device holds, unless they are lower than the stored
    /// ones.
    func record(_ ends: [BatchPlace], of device: DeviceID) throws {
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO acknowledged VALUES (?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET number = excluded.number
                WHERE excluded.number > acknowledged.number
                """)
        for end in ends {
            try statement.execute(arguments: [
                space, end.log, device.sql, Int64(clamping: end.number),
            ])
        }
    }

    /// Returns the last batch of a stored log that a device holds; 0 for none.
    private func number(inLog log: Int64, heldBy device: DeviceID) throws -> UInt64 {
        let statement = try database.cachedStatement(
            sql: "SELECT number FROM acknowledged WHERE space = ? AND log = ? AND device = ?")
        let number = try Int64.fetchOne(statement, arguments: [space, log, device.sql])
        return UInt64(clamping: number ?? 0)
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

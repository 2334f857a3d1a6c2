internal import GRDB
internal import Records

/// The batches of a space that are dated over 24 h ahead, by their stamps.
struct HeldTable {
    let database: Database
    /// The space's number in this database.
    let space: Int64

    /// Adds a batch.
    func insert(_ stamp: Stamp, _ place: BatchPlace) throws {
        try PreparedStatement(database, "INSERT INTO held VALUES (?, ?, ?)").run {
            $0.append(space)
            $0.append(stamp)
            $0.append(place.rowID)
        }
    }

    /// Removes and returns the batches with stamps up to a given one, in the order of their stamps.
    /// A damaged stamp is no reason to wait: such a batch is returned too, with the first stamp.
    func removeAll(through last: Stamp) throws -> [(stamp: Stamp, place: BatchPlace)] {
        var found: [(Stamp, BatchPlace)] = []
        let condition = "WHERE space = ? AND (stamp <= ? OR typeof(stamp) <> 'integer')"
        try PreparedStatement(
            database, "SELECT stamp, batch FROM held \(condition) ORDER BY stamp, batch"
        ).rows({
            $0.append(space)
            $0.append(last)
        }) {
            found.append(($0.storedStamp(0), BatchPlace(rowID: $0.integer(1))))
            return true
        }
        guard !found.isEmpty else { return [] }
        try PreparedStatement(database, "DELETE FROM held \(condition)").run {
            $0.append(space)
            $0.append(last)
        }
        return found
    }

    /// Returns the first stamp, or nil if the table has no batch of the space.
    func first() throws -> Stamp? {
        try PreparedStatement(
            database, "SELECT stamp FROM held WHERE space = ? ORDER BY stamp LIMIT 1"
        ).first({ $0.append(space) }) { $0.storedStamp(0) }
    }

    /// Returns the number of batches in some rows of logs.
    func count(inLogs rows: [Int64]) throws -> Int {
        try rows.reduce(0) { sum, row in
            let places = BatchPlace.rows(ofLog: row)
            let count = try PreparedStatement(
                database, "SELECT count(*) FROM held WHERE batch BETWEEN ? AND ?"
            ).first({
                $0.append(places.lowerBound)
                $0.append(places.upperBound)
            }) { Int($0.integer(0)) }
            return sum + (count ?? 0)
        }
    }

    /// Whether a batch is in the table.
    func contains(_ place: BatchPlace) throws -> Bool {
        try PreparedStatement(database, "SELECT 1 FROM held WHERE batch = ?")
            .first({ $0.append(place.rowID) }) { _ in true } ?? false
    }
}

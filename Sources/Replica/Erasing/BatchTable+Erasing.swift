internal import GRDB
internal import Records

// Statements on the log for erasing and mending.
extension BatchTable {
    /// Replaces the content of a batch: by a hash if it is erased, or by a missing body that
    /// arrived.
    func replaceContent(at place: BatchPlace, by content: BatchContent) throws {
        try database.cachedStatement(sql: "UPDATE batch SET body = ? WHERE id = ?")
            .execute(arguments: [content.encoded.sql, place.rowID])
    }

    /// Deletes batches of a row.
    func delete(_ places: ClosedRange<Int64>) throws {
        try database.cachedStatement(sql: "DELETE FROM batch WHERE id BETWEEN ? AND ?")
            .execute(arguments: [places.lowerBound, places.upperBound])
    }

    /// Returns the batches of a row whose body contains the bytes of an entity's id, even by
    /// chance.
    func batches(ofLog log: Int64, mentioning entity: EntityID) throws -> [Stored] {
        let rows = BatchPlace.rows(ofLog: log)
        let statement = try PreparedStatement(
            database,
            """
            SELECT \(BatchTable.columns) FROM batch
            WHERE id BETWEEN ? AND ? AND instr(body, ?) > 0 ORDER BY id
            """)
        var found: [Stored] = []
        try statement.rows({
            $0.append(rows.lowerBound)
            $0.append(rows.upperBound)
            $0.append(entity.bytes)
        }) {
            found.append(BatchTable.stored($0))
            return true
        }
        return found
    }

    /// Returns the batches of a row whose body is missing.
    func places(withoutBodyIn log: Int64) throws -> [BatchPlace] {
        let rows = BatchPlace.rows(ofLog: log)
        return try Int64.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT id FROM batch WHERE id BETWEEN ? AND ?
                        AND length(body) = 33 AND substr(body, 1, 1) = x'02'
                    """), arguments: [rows.lowerBound, rows.upperBound]
        ).map(BatchPlace.init(rowID:))
    }
}

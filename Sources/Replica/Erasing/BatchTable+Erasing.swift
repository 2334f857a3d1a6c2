internal import GRDB
internal import Records

// What erasing and mending ask of the log.
extension BatchTable {
    /// Puts another content in the place of a batch's: nothing, where it is erased, or the body,
    /// where one that was missing has come.
    func replaceContent(at place: BatchPlace, by content: BatchContent) throws {
        try database.cachedStatement(sql: "UPDATE batch SET body = ? WHERE id = ?")
            .execute(arguments: [content.encoded.sql, place.rowID])
    }

    /// Deletes batches of a row.
    func delete(_ places: ClosedRange<Int64>) throws {
        try database.cachedStatement(sql: "DELETE FROM batch WHERE id BETWEEN ? AND ?")
            .execute(arguments: [places.lowerBound, places.upperBound])
    }

    /// The batches of a row whose body holds an entity's id, or happens to hold its bytes.
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

    /// The batches of a row whose body is not here.
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

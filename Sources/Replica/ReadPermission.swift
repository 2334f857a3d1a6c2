internal import GRDB
internal import Records

/// What a read may touch: whatever `SELECT *` of the allowed tables and views touches, column by
/// column, and nothing else. A view opens the columns it shows, not the tables behind it.
struct ReadPermission {
    /// Tables and views by name, besides the core's views; nil allows all.
    let allowed: Set<String>?

    /// Checks a prepared statement.
    /// - Throws: ``ReplicaFault/notPermitted(_:)``.
    func check(_ statement: Statement, in database: Database) throws {
        let word = statement.sql.drop { $0.isWhitespace }.prefix { $0.isLetter }.uppercased()
        guard statement.isReadonly, word == "SELECT" || word == "WITH" else {
            throw ReplicaFault.notPermitted("a read must be one SELECT statement")
        }
        guard let allowed = allowed?.union(Schema.coreViews.map(\.name)) else { return }
        let region = statement.databaseRegion
        guard !region.isFullDatabase else {
            throw ReplicaFault.notPermitted("a read must name its tables")
        }
        let opened = try ReadPermission.region(of: allowed, in: database)
        for table in try ReadPermission.tables(in: database) {
            guard region.touches(table) else { continue }
            let columns = try database.columns(in: table).map(\.name)
            let isOpen =
                opened.touches(table)
                && columns.allSatisfy {
                    !region.touches($0, of: table) || opened.touches($0, of: table)
                }
            guard isOpen else {
                throw ReplicaFault.notPermitted("the read touches \(table), which is closed to it")
            }
        }
    }

    private static func region(
        of names: Set<String>, in database: Database
    ) throws -> DatabaseRegion {
        let known = try String.fetchAll(
            database, sql: "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")
        return try names.intersection(known).reduce(into: DatabaseRegion()) { region, name in
            let statement = try database.cachedStatement(sql: "SELECT * FROM \"\(name)\"")
            region.formUnion(statement.databaseRegion)
        }
    }

    private static func tables(in database: Database) throws -> [String] {
        try String.fetchAll(database, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
            + ["sqlite_master"]
    }
}

extension DatabaseRegion {
    fileprivate func touches(_ table: String) -> Bool {
        isModified(byEventsOfKind: .delete(tableName: table))
    }

    fileprivate func touches(_ column: String, of table: String) -> Bool {
        isModified(byEventsOfKind: .update(tableName: table, columnNames: [column]))
    }
}

internal import GRDB
internal import Records

/// The columns that a read may use: those that `SELECT *` of the allowed tables and views uses, and
/// no others. A view opens the columns it shows, not the tables behind it.
struct ReadPermission {
    private let opened: DatabaseRegion
    private let tables: [String]

    /// Opens tables and views by name, besides the core's views.
    /// - Parameter shown: the columns that each of them shows, as far as known.
    init(
        opening allowed: Set<String>, in database: Database, shown: inout [String: DatabaseRegion]
    ) throws {
        let known = try String.fetchAll(
            database, sql: "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")
        var opened = DatabaseRegion()
        for name in allowed.union(Schema.coreViews.map(\.name)).intersection(known) {
            let region =
                try shown[name]
                ?? database.region(
                    readingAnew: try database.makeStatement(sql: "SELECT * FROM \"\(name)\""))
            shown[name] = region
            opened.formUnion(region)
        }
        self.opened = opened
        tables =
            try String.fetchAll(
                database, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
            + ["sqlite_master"]
    }

    /// Checks the kind of statement of a read.
    /// - Throws: ``ReplicaFault/notPermitted(_:)``.
    static func checkForm(_ statement: Statement) throws {
        let keyword = statement.sql.drop { $0.isWhitespace }.prefix { $0.isLetter }.uppercased()
        guard statement.isReadonly, keyword == "SELECT" || keyword == "WITH" else {
            throw ReplicaFault.notPermitted("a read must be one SELECT statement")
        }
    }

    /// Checks a prepared statement.
    /// - Throws: ``ReplicaFault/notPermitted(_:)``.
    func check(_ statement: Statement, in database: Database) throws {
        try ReadPermission.checkForm(statement)
        // A prepared statement's region never shows less than it reads, so most need no second
        // look.
        guard try refusal(of: statement.databaseRegion, in: database) != nil else { return }
        let region = try database.region(readingAnew: statement)
        if let fault = try refusal(of: region, in: database) { throw fault }
    }

    /// Returns the reason a region is closed to a read, or nil if all of it is open.
    private func refusal(of region: DatabaseRegion, in database: Database) throws -> ReplicaFault? {
        guard !region.isFullDatabase else { return .notPermitted("a read must name its tables") }
        let closed = try tables.first { table in
            guard region.touches(table) else { return false }
            let columns = try database.columns(in: table).map(\.name)
            let isOpen =
                opened.touches(table)
                && columns.allSatisfy {
                    !region.touches($0, of: table) || opened.touches($0, of: table)
                }
            return !isOpen
        }
        return closed.map { .notPermitted("the read touches \($0), which is closed to it") }
    }
}

extension Database {
    /// Returns the region that a statement reads. The first statement on a connection that names a
    /// virtual table also includes the region that the table reads while it connects; the second
    /// does not.
    fileprivate func region(readingAnew statement: Statement) throws -> DatabaseRegion {
        try makeStatement(sql: statement.sql).databaseRegion
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

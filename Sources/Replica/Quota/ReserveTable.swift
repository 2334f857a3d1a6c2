internal import GRDB
internal import Records

/// The bytes of reserved room that each person's batches took while other room was used up. They
/// are in the file, so that a restart gives nobody new room.
struct ReserveTable {
    let database: Database

    /// Returns what each person took.
    func bytes() throws -> [PersonID: Int] {
        let rows = try GRDB.Row.fetchAll(database, sql: "SELECT person, bytes FROM reserve")
        return try rows.reduce(into: [:]) { found, row in
            found[try row.identifier(0, as: PersonID.self)] = row[1]
        }
    }

    /// Stores what has changed.
    func store(_ bytes: [PersonID: Int], insteadOf before: [PersonID: Int]) throws {
        for person in before.keys where bytes[person] == nil {
            try database.execute(
                sql: "DELETE FROM reserve WHERE person = ?", arguments: [person.sql])
        }
        for (person, count) in bytes where before[person] != count {
            try database.execute(
                sql: "INSERT OR REPLACE INTO reserve VALUES (?, ?)",
                arguments: [person.sql, count])
        }
    }
}

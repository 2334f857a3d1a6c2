internal import GRDB
internal import Identity
public import Records

/// The table of people whose recovery key added a device to their record, and of whom this person
/// was not told yet. A row is written together with the record, so no crash loses the notice.
struct ReturnedPeople {
    let database: Database

    static let createSQL =
        "CREATE TABLE returned_person (person BLOB PRIMARY KEY) WITHOUT ROWID"

    /// Records that a person has such a device, if their new record lists one that the known one
    /// did not. A record that was not known before is no news.
    func record(_ known: PersonRecord?, _ fresh: PersonRecord) throws {
        guard let known, !fresh.recoveredDevices.isSubset(of: known.recoveredDevices) else {
            return
        }
        try database.execute(
            sql: "INSERT OR IGNORE INTO returned_person VALUES (?)", arguments: [fresh.person.sql])
    }

    /// Removes a person: this person was told, or the record is forgotten.
    func remove(_ person: PersonID) throws {
        try database.execute(
            sql: "DELETE FROM returned_person WHERE person = ?", arguments: [person.sql])
    }

    /// The people of whom this person was not told.
    func people() throws -> [PersonID] {
        try GRDB.Row.fetchAll(database, sql: "SELECT person FROM returned_person ORDER BY person")
            .map { try $0.identifier(0, as: PersonID.self) }
    }
}

extension Replica {
    /// Returns the people who came back on a new device by their recovery words, and of whom this
    /// person was not told yet. Call ``confirmReturn(of:)`` afterwards.
    public func untoldReturns() throws -> [PersonID] {
        try read { try ReturnedPeople(database: $0).people() }
    }

    /// Records that this person was told that another one came back.
    public func confirmReturn(of person: PersonID) throws {
        try write { try ReturnedPeople(database: $0).remove(person) }
    }
}

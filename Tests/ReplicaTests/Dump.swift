import Records
import Replica

/// All rows of all tables, with names that are the same on every replica, sorted.
struct Dump: Equatable {
    let lines: [String]

    init(_ replica: Replica, _ collection: RecordCollection = .note) async throws {
        var lines: [String] = []
        let columns = collection.fields.filter { $0.merge != .addWinsSet }.map { "t.\($0.name)" }
        let rows = try await replica.read(
            """
            SELECT s.id AS id, t.entity, t.creator, t.stamp, l.device AS device, t.number, \
            \(columns.joined(separator: ", ")) FROM "\(collection.table)" t
            JOIN space s ON s.number = t.space JOIN log l ON l.number = t.log
            """, allowedTables: nil)
        for row in rows {
            let names =
                ["id", "entity", "creator", "stamp", "device", "number"]
                + collection.fields.filter { $0.merge != .addWinsSet }.map(\.name)
            lines.append(names.map { "\($0)=\(row[$0])" }.joined(separator: " "))
        }
        for field in collection.fields where field.merge == .addWinsSet {
            let elements = try await replica.read(
                """
                SELECT s.id AS id, t.entity AS entity, t.element AS element
                FROM "\(collection.table)_\(field.name)" t JOIN space s ON s.number = t.space
                """, allowedTables: nil)
            for row in elements {
                lines.append("\(field.name) \(row["id"]) \(row["entity"]) \(row["element"])")
            }
        }
        self.lines = lines.sorted()
    }
}

extension Replica {
    /// Returns the columns of one note.
    func note(_ entity: EntityID) async throws -> Row? {
        try await read(
            "SELECT * FROM note WHERE entity = ?", [.bytes(entity.bytes)], allowedTables: nil
        ).first
    }

    /// Returns the texts in one set of a note, sorted.
    func elements(_ entity: EntityID, _ field: String) async throws -> [String] {
        try await read(
            "SELECT element FROM note_\(field) WHERE entity = ? ORDER BY element",
            [.bytes(entity.bytes)], allowedTables: nil
        ).compactMap { $0.text("element") }
    }

    /// Merges whole logs of one space at a wall time.
    @discardableResult
    func merge(_ authors: [Author], at wall: Timestamp = now) async throws -> MergeOutcome {
        try merge(authors.map { ($0.space, $0.run) }, wallTime: wall)
    }

    /// Returns the summary of a space.
    func summary(_ space: SpaceDescriptor) throws -> SpaceSummary? {
        spaces().first { $0.id == space.id }
    }
}

/// The wall time of most tests.
let now = Timestamp(milliseconds: 1_700_000_000_000)

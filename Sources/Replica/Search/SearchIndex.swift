internal import GRDB
internal import Records

/// The full-text index of one collection: an FTS5 table without a copy of the text, and a table
/// that maps its rows to records.
///
/// Triggers update both whenever the collection's table changes, by a merge, a rebuild or an erase.
/// Rows are numbered by the beginnings of their records, so that the newest are found first without
/// sorting all matches.
struct SearchIndex {
    /// The collection's table.
    let table: String
    /// The FTS5 table: `rowid`, and one column per searched field.
    let name: String
    /// The table with the columns `id` (the FTS5 table's `rowid`), `space` and `entity`.
    let records: String
    private let columns: [String]

    /// Makes the index of a collection, or nil if no field is searched.
    init?(_ collection: RecordCollection) {
        guard !collection.searched.isEmpty else { return nil }
        table = collection.table
        name = collection.searchTable
        records = collection.foundTable
        columns = collection.searched
    }

    /// The statements that create tables and triggers.
    ///
    /// FTS5's tokenizer `ascii` is the only one that does not change with the version of Unicode;
    /// its input was folded and split before.
    var createSQL: [String] {
        let changed = columns.map { "OR old.\"\($0)\" IS NOT new.\"\($0)\"" }
            .joined(separator: " ")
        return [
            """
            CREATE TABLE "\(records)" (id INTEGER PRIMARY KEY, space INTEGER NOT NULL,
                entity BLOB NOT NULL, UNIQUE (space, entity))
            """,
            """
            CREATE VIRTUAL TABLE "\(name)" USING fts5 (\(quoted.joined(separator: ", ")),
                content = '', columnsize = 0, tokenize = 'ascii')
            """,
            """
            CREATE TRIGGER "\(table)_search_insert" AFTER INSERT ON "\(table)" BEGIN
                \(insertion)
            END
            """,
            """
            CREATE TRIGGER "\(table)_search_delete" AFTER DELETE ON "\(table)" BEGIN
                \(deletion)
            END
            """,
            """
            CREATE TRIGGER "\(table)_search_update" AFTER UPDATE ON "\(table)"
            WHEN old.stamp <> new.stamp \(changed) BEGIN
                \(deletion)
                \(insertion)
            END
            """,
        ]
    }

    /// Merges the index into one segment, so that no deleted terms remain in it.
    func optimise(_ database: Database) throws {
        try database.execute(sql: "INSERT INTO \"\(name)\" (\"\(name)\") VALUES ('optimize')")
    }

    private var quoted: [String] { columns.map { "\"\($0)\"" } }

    private func grams(of row: String) -> String {
        quoted.map { "\(SearchFunctions.grams)(\(row).\($0))" }.joined(separator: ", ")
    }

    /// A row's number is the stamp with which the record began. If that is used, it is the next
    /// free number after all of that millisecond, or after all rows if that millisecond is full.
    private var insertion: String {
        """
        INSERT INTO "\(records)" SELECT
            CASE WHEN NOT EXISTS (SELECT 1 FROM "\(records)" WHERE id = new.stamp) THEN new.stamp
                WHEN id < new.stamp | 65535 THEN id + 1
                ELSE (SELECT max(id) + 1 FROM "\(records)") END, new.space, new.entity
            FROM (SELECT max(id) AS id FROM "\(records)"
                WHERE id BETWEEN new.stamp >> 16 << 16 AND new.stamp | 65535);
        INSERT INTO "\(name)" (rowid, \(quoted.joined(separator: ", ")))
            SELECT id, \(grams(of: "new")) FROM "\(records)"
            WHERE space = new.space AND entity = new.entity;
        """
    }

    /// An index without a copy of the text needs the deleted text for a deletion.
    private var deletion: String {
        """
        INSERT INTO "\(name)" ("\(name)", rowid, \(quoted.joined(separator: ", ")))
            SELECT 'delete', id, \(grams(of: "old")) FROM "\(records)"
            WHERE space = old.space AND entity = old.entity;
        DELETE FROM "\(records)" WHERE space = old.space AND entity = old.entity;
        """
    }
}

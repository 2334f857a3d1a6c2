internal import GRDB
internal import Records

/// The full-text index of one collection: a table of FTS5 that keeps no copy of the text, and a
/// table that says which record a row of it stands for.
///
/// Triggers keep both in step with the collection's table, in whatever way that is written: by a
/// merge, a rebuild or an erase. Rows are numbered by when their records began, so that the newest
/// are found first without sorting all that match.
struct SearchIndex {
    /// The collection's table.
    let table: String
    /// The FTS5 table: `rowid`, and a column for each that is searched.
    let name: String
    /// The table with the columns `id` (the FTS5 table's `rowid`), `space` and `entity`.
    let records: String
    private let columns: [String]

    /// The index of a collection, or nil where no field is searched.
    init?(_ collection: RecordCollection) {
        guard !collection.searched.isEmpty else { return nil }
        table = collection.table
        name = collection.searchTable
        records = collection.foundTable
        columns = collection.searched
    }

    /// The statements that make tables and triggers.
    ///
    /// FTS5's tokenizer `ascii` is the one whose verdicts change with no version of Unicode; what
    /// it is given was folded and cut before.
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

    /// Merges the index into one piece, so that nothing of what was taken out of it stays in it.
    func optimise(_ database: Database) throws {
        try database.execute(sql: "INSERT INTO \"\(name)\" (\"\(name)\") VALUES ('optimize')")
    }

    private var quoted: [String] { columns.map { "\"\($0)\"" } }

    private func grams(of row: String) -> String {
        quoted.map { "\(SearchFunctions.grams)(\(row).\($0))" }.joined(separator: ", ")
    }

    /// The number is the stamp with which the record began; where two began with one, the next
    /// free one after all of that millisecond, or beyond all where that millisecond is full.
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

    /// An index without a copy of the text must be told the text that goes.
    private var deletion: String {
        """
        INSERT INTO "\(name)" ("\(name)", rowid, \(quoted.joined(separator: ", ")))
            SELECT 'delete', id, \(grams(of: "old")) FROM "\(records)"
            WHERE space = old.space AND entity = old.entity;
        DELETE FROM "\(records)" WHERE space = old.space AND entity = old.entity;
        """
    }
}

internal import GRDB
internal import Records

/// The full-text index of one collection: an FTS5 table without a copy of the text. The records'
/// numbers have the order of time, so the newest are found first without sorting all matches.
struct SearchIndex {
    /// The FTS5 table: `rowid`, and one column per searched field.
    let name: String
    /// The table of ``RecordNumbers``.
    private let numbers: String
    private let columns: [String]

    /// Makes the index of a collection, or nil if no field is searched.
    init?(_ collection: RecordCollection, numbers: String) {
        guard !collection.searched.isEmpty else { return nil }
        name = collection.searchTable
        columns = collection.searched
        self.numbers = numbers
    }

    /// FTS5's tokenizer `ascii` is the only one that does not change with the version of Unicode;
    /// its input was folded and split before. Without an index of first letters, a query of one
    /// letter would read all pairs that begin with it.
    var createSQL: String {
        """
        CREATE VIRTUAL TABLE "\(name)" USING fts5 (\(quoted.joined(separator: ", ")),
            content = '', columnsize = 0, prefix = '1', tokenize = 'ascii')
        """
    }

    /// The condition that an update changes a searched field.
    var isChanged: String {
        quoted.map { "old.\($0) IS NOT new.\($0)" }.joined(separator: " OR ")
    }

    /// Inserts a new row that has a number.
    var insertion: String {
        """
        INSERT INTO "\(name)" (rowid, \(quoted.joined(separator: ", ")))
            SELECT id, \(grams(of: "new")) FROM "\(numbers)"
            WHERE space = new.space AND entity = new.entity;
        """
    }

    /// Deletes an old row. An index without a copy of the text needs the deleted text for that.
    var deletion: String {
        """
        INSERT INTO "\(name)" ("\(name)", rowid, \(quoted.joined(separator: ", ")))
            SELECT 'delete', id, \(grams(of: "old")) FROM "\(numbers)"
            WHERE space = old.space AND entity = old.entity;
        """
    }

    /// Merges the index into one segment, so that no deleted terms remain in it.
    func scrub(_ database: Database) throws {
        try database.execute(sql: "INSERT INTO \"\(name)\" (\"\(name)\") VALUES ('optimize')")
    }

    private var quoted: [String] { columns.map { "\"\($0)\"" } }

    private func grams(of row: String) -> String {
        quoted.map { "\(SearchFunctions.grams)(\(row).\($0))" }.joined(separator: ", ")
    }
}

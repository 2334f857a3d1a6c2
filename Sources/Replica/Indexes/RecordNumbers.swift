internal import Records

/// The table that numbers the records of a collection, because FTS5 and R-Tree know rows by a
/// number. Records are numbered by their beginnings, so that the order of the numbers is that of
/// time.
struct RecordNumbers {
    /// The collection's table.
    private let table: String
    /// The table with the columns `id`, `space` and `entity`.
    let name: String

    init(_ collection: RecordCollection) {
        table = collection.table
        name = collection.foundTable
    }

    var createSQL: String {
        """
        CREATE TABLE "\(name)" (id INTEGER PRIMARY KEY, space INTEGER NOT NULL,
            entity BLOB NOT NULL, UNIQUE (space, entity))
        """
    }

    /// Numbers a new row. Its number is the stamp with which the record began. If that is used, it
    /// is the next free number after all of that millisecond, or after all rows if that millisecond
    /// is full.
    var insertion: String {
        """
        INSERT INTO "\(name)" SELECT
            CASE WHEN NOT EXISTS (SELECT 1 FROM "\(name)" WHERE id = new.stamp) THEN new.stamp
                WHEN id < new.stamp | 65535 THEN id + 1
                ELSE (SELECT max(id) + 1 FROM "\(name)") END, new.space, new.entity
            FROM (SELECT max(id) AS id FROM "\(name)"
                WHERE id BETWEEN new.stamp >> 16 << 16 AND new.stamp | 65535);
        """
    }

    /// Forgets the number of an old row.
    var deletion: String {
        "DELETE FROM \"\(name)\" WHERE space = old.space AND entity = old.entity;"
    }
}

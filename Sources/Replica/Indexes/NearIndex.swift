internal import Foundation
internal import GRDB
internal import Records

/// The locations of one collection's records: an R-Tree with a rectangle for each record that has a
/// location.
///
/// An R-Tree stores numbers of 32 bits and rounds them outward, so a rectangle always contains its
/// location and is a few metres wide at most. A query compares the exact columns afterwards.
struct NearIndex {
    /// The R-Tree: `id`, `south`, `north`, `west`, `east`.
    let name: String
    /// The table of ``RecordNumbers``.
    private let numbers: String
    private let latitude: String
    private let longitude: String

    /// Makes the index of a collection, or nil if its records have no location.
    init?(_ collection: RecordCollection, numbers: String) {
        guard let fields = collection.located else { return nil }
        name = collection.nearTable
        latitude = "\"\(fields.latitude)\""
        longitude = "\"\(fields.longitude)\""
        self.numbers = numbers
    }

    var createSQL: String {
        "CREATE VIRTUAL TABLE \"\(name)\" USING rtree (id, south, north, west, east)"
    }

    /// The condition that an update changes the location.
    var isChanged: String {
        [latitude, longitude].map { "old.\($0) IS NOT new.\($0)" }.joined(separator: " OR ")
    }

    /// Inserts a new row that has a number, if it has a location on Earth. A field of numbers holds
    /// any finite number that a peer wrote.
    var insertion: String {
        """
        INSERT INTO "\(name)"
            SELECT id, new.\(latitude), new.\(latitude), new.\(longitude), new.\(longitude)
            FROM "\(numbers)" WHERE space = new.space AND entity = new.entity
            AND new.\(latitude) BETWEEN -90 AND 90 AND new.\(longitude) BETWEEN -180 AND 180;
        """
    }

    /// Deletes an old row, if it is in the index.
    var deletion: String {
        """
        DELETE FROM "\(name)" WHERE id = (SELECT id FROM "\(numbers)"
            WHERE space = old.space AND entity = old.entity);
        """
    }

    /// Overwrites what deleted entries left in the nodes: SQLite moves the later entries of a node
    /// forward and leaves the bytes after the last one as they were.
    func scrub(_ database: Database) throws {
        try database.inTransaction {
            let nodes = try GRDB.Row.fetchAll(
                database, sql: "SELECT nodeno, data FROM \"\(name)_node\"")
            for node in nodes {
                let (number, bytes): (Int64, [UInt8]) = (node[0], node.bytes(1))
                let clean = NearIndex.withoutRemains(bytes)
                guard clean != bytes else { continue }
                try database.execute(
                    sql: "UPDATE \"\(name)_node\" SET data = ? WHERE nodeno = ?",
                    arguments: [clean.sql, number])
            }
            return .commit
        }
    }

    /// Returns a node with zeros after its last entry. A node begins with two bytes for the depth
    /// of the tree and two for the number of entries; an entry has a number of 64 bits and four of
    /// 32 bits.
    private static func withoutRemains(_ node: [UInt8]) -> [UInt8] {
        guard node.count >= 4 else { return node }
        let used = 4 + 24 * (Int(node[2]) << 8 | Int(node[3]))
        guard used < node.count else { return node }
        return Array(node[..<used]) + Array(repeating: 0, count: node.count - used)
    }
}

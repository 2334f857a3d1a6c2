internal import Foundation
internal import Records
internal import Replica

/// The whole content of a replica as text, without its number of starts.
struct Fingerprint: Hashable {
    /// The spaces as the replica has them in memory, then each table with its rows.
    let lines: [String]

    /// Whether erased bytes are still to be removed from the files.
    var isScrubDue: Bool { !lines.contains("scrub: ") }

    init(of replica: Replica) async throws {
        var lines = await replica.spaces().map { space in
            "\(space.id) \(space.digest) \(space.batches) \(space.held) \(space.void) "
                + "\(space.waiting)"
        }
        let tables = try await replica.read(
            """
            SELECT name FROM sqlite_master WHERE type = 'table' AND name != 'start'
            ORDER BY name
            """, allowedTables: nil)
        for table in tables.compactMap({ $0.text("name") }) {
            lines.append(try await Fingerprint.rows(of: table, in: replica))
        }
        self.lines = lines
    }

    /// The bytes of all batches of a row of `log`. Its column `bytes` counts the batches up to the
    /// number in `summed`, and when the two are brought up to date is no part of the content.
    private static let bytesOfAllBatches = """
        (bytes + (SELECT ifnull(sum(length(body) + \(Limits.batchRowBytes)), 0) FROM batch
            WHERE id BETWEEN (log.number << 40) + log.summed + 1
                AND (log.number << 40 | 1099511627775)))
        """

    /// Returns all rows of a table as one text, sorted by content.
    private static func rows(of table: String, in replica: Replica) async throws -> String {
        let columns = try await replica.read(
            "SELECT name FROM pragma_table_info(?)", [.text(table)], allowedTables: nil)
        let row = columns.compactMap { $0.text("name") }.map { column in
            switch (table, column) {
            case ("log", "bytes"): bytesOfAllBatches
            case ("log", "summed"): "''"
            default: "quote(\"\(column)\")"
            }
        }.joined(separator: " || ',' || ")
        let found = try await replica.read(
            """
            SELECT coalesce(group_concat(row, char(10)), '') AS rows
            FROM (SELECT \(row) AS row FROM "\(table)" ORDER BY row)
            """, allowedTables: nil)
        return "\(table): \(found.first?.text("rows") ?? "")"
    }

    /// Returns the first line that differs, shortened, for the report of a failure.
    func difference(from other: Fingerprint) -> String {
        let pair = zip(lines, other.lines).first { $0 != $1 }
        guard let pair else { return "\(lines.count) parts instead of \(other.lines.count)" }
        return "\(pair.0.prefix(300)) instead of \(pair.1.prefix(300))"
    }
}

internal import GRDB

extension Database {
    /// Returns SQLite's findings about the file, its B-trees and its R-Trees; none if it is sound.
    /// It reads the whole file.
    /// - Parameter countMax: the maximum number of findings about B-trees.
    func fileFindings(countMax: Int) throws -> [String] {
        let pages = try String.fetchAll(self, sql: "PRAGMA integrity_check(\(countMax))")
        guard pages == ["ok"] else { return pages }
        let trees = try String.fetchAll(
            self,
            sql: """
                SELECT name FROM sqlite_master
                WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE % USING rtree %'
                """)
        return try trees.compactMap { tree in
            let finding = try String.fetchOne(self, sql: "SELECT rtreecheck(?)", arguments: [tree])
            return finding == "ok" ? nil : "\(tree): \(finding ?? "it cannot be checked")"
        }
    }
}

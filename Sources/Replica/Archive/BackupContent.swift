internal import GRDB
internal import Records

/// The content of blobs in a backup: a table with one row for each file. A backup of a version
/// before blobs has no such table.
struct BackupContent {
    let database: Database
    let files: BlobFiles

    private static let table = "backup_blob"

    /// Adds all sound content. Content that is damaged, or was removed since the tables were
    /// copied, is left out, and the restored replica fetches it again.
    func add() throws {
        try database.execute(
            sql: """
                CREATE TABLE \(BackupContent.table) (hash BLOB PRIMARY KEY, content BLOB NOT NULL)
                """)
        let blobs = BlobTable(database: database)
        for hash in try blobs.hashes() {
            let content = try files.read(hash, from: 0, count: Limits.blobBytesMax)
            guard let content, BlobHash(of: content) == hash else {
                try blobs.forget(hash)
                continue
            }
            try database.execute(
                sql: "INSERT INTO \(BackupContent.table) VALUES (?, ?)",
                arguments: [hash.sql, content.sql])
        }
    }

    /// Writes the content into files, and removes it from the database.
    /// - Throws: ``BackupFault/damaged(_:_:)`` if content has another hash, ``ReplicaFault``.
    func unpack(from path: String) throws {
        guard try database.tableExists(BackupContent.table) else { return }
        let rows = try GRDB.Row.fetchCursor(
            database, sql: "SELECT hash, content FROM \(BackupContent.table)")
        while let row = try rows.next() {
            let content = row.bytes(1)
            let hash = BlobHash(of: content)
            guard try row.identifier(0, as: BlobHash.self) == hash else {
                throw BackupFault.damaged(path, "the content \(hash) is not what was stored")
            }
            try files.write(content, as: hash)
        }
        try database.execute(sql: "DROP TABLE \(BackupContent.table)")
    }
}

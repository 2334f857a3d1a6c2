internal import GRDB
internal import Records

/// The tables of blobs: `blob` has a row for each file, `blob_access` names the spaces for which
/// content was put or fetched here, and `blob_reference` the records that count and name it.
///
/// Triggers on the collections' tables keep `blob_reference`, so it changes in the transaction that
/// merges, voids or erases a record, whatever way that takes.
struct BlobTable {
    let database: Database

    static let createSQL = [
        """
        CREATE TABLE blob (hash BLOB PRIMARY KEY, bytes INTEGER NOT NULL, used INTEGER NOT NULL)
        WITHOUT ROWID
        """,
        """
        CREATE TABLE blob_access (space INTEGER NOT NULL, hash BLOB NOT NULL,
            fetched INTEGER NOT NULL, PRIMARY KEY (space, hash)) WITHOUT ROWID
        """,
        "CREATE INDEX blob_access_hash ON blob_access (hash)",
        """
        CREATE TABLE blob_reference (space INTEGER NOT NULL, hash BLOB NOT NULL,
            collection INTEGER NOT NULL, entity BLOB NOT NULL, field INTEGER NOT NULL,
            creator BLOB NOT NULL, value BLOB NOT NULL,
            PRIMARY KEY (space, hash, collection, entity, field)) WITHOUT ROWID
        """,
        "CREATE INDEX blob_reference_hash ON blob_reference (hash, creator)",
        "CREATE INDEX blob_reference_creator ON blob_reference (creator)",
    ]

    /// Returns the triggers that keep the references of one field.
    static func triggers(
        of field: RecordCollection.Field, in collection: RecordCollection
    ) -> [String] {
        let (table, column) = ("\"\(collection.table)\"", "\"\(field.name)\"")
        let name = "\(collection.table)_\(field.name)"
        let (id, number) = (collection.id.rawValue, field.number)
        let length = Bytes32.bytesCount
        let insert = """
            INSERT INTO blob_reference SELECT new.space, substr(new.\(column), 1, \(length)),
                \(id), new.entity, \(number), new.creator, new.\(column)
            WHERE new.\(column) IS NOT NULL;
            """
        let delete = """
            DELETE FROM blob_reference WHERE space = old.space
                AND hash = substr(old.\(column), 1, \(length)) AND collection = \(id)
                AND entity = old.entity AND field = \(number);
            """
        return [
            "CREATE TRIGGER \"\(name)_named\" AFTER INSERT ON \(table) BEGIN \(insert) END",
            """
            CREATE TRIGGER "\(name)_renamed" AFTER UPDATE OF \(column) ON \(table)
            WHEN old.\(column) IS NOT new.\(column) BEGIN \(delete) \(insert) END
            """,
            """
            CREATE TRIGGER "\(name)_withdrawn" AFTER DELETE ON \(table)
            WHEN old.\(column) IS NOT NULL BEGIN \(delete) END
            """,
        ]
    }

    /// Forgets the references of a collection whose tables are dropped.
    func forget(collection name: String) throws {
        for table in ["blob_reference", "small_content"] {
            try database.execute(
                sql: "DELETE FROM \(table) WHERE collection = ?",
                arguments: [CollectionID(name: name).rawValue])
        }
    }

    // MARK: Access

    /// Whether a record of a space that counts names a blob.
    func isNamed(_ hash: BlobHash, in space: Int64) throws -> Bool {
        try exists("SELECT 1 FROM blob_reference WHERE space = ? AND hash = ?", space, hash)
    }

    /// Whether a record of a space that counts names a blob and its author may have it: content
    /// beyond a day's allowance is neither fetched nor kept.
    func isWanted(_ hash: BlobHash, in space: Int64) throws -> Bool {
        try exists(
            """
            SELECT 1 FROM blob_reference r WHERE r.space = ? AND r.hash = ? AND NOT EXISTS
                (SELECT 1 FROM small_content s WHERE s.space = r.space
                    AND s.collection = r.collection AND s.entity = r.entity AND s.field = r.field
                    AND s.state = 0)
            """, space, hash)
    }

    /// Returns the blob with a hash and a size that a record of a space names and that may be
    /// fetched; nil if there is none.
    func wanted(_ hash: BlobHash, bytes: Int, in space: Int64) throws -> Blob? {
        guard try isWanted(hash, in: space) else { return nil }
        var found: Blob?
        try PreparedStatement(
            database, "SELECT DISTINCT value FROM blob_reference WHERE space = ? AND hash = ?"
        ).rows({
            $0.append(space)
            $0.append(hash)
        }) { columns in
            let blob = try? Blob(decoding: columns.bytes(0))
            if let blob, blob.bytesCount == bytes { found = blob }
            return found == nil
        }
        return found
    }

    /// The people whose counting records name a blob.
    func creators(naming hash: BlobHash) throws -> Set<PersonID> {
        Set(
            try GRDB.Row.fetchAll(
                database, sql: "SELECT DISTINCT creator FROM blob_reference WHERE hash = ?",
                arguments: [hash.sql]
            ).map { try $0.identifier(0, as: PersonID.self) })
    }

    /// Whether a member of a space may have content from here: this person's own counting record
    /// there names it, or it was fetched for that space. A record of another person does not open
    /// it: a person who knows a hash could otherwise get the content of other people.
    func mayServe(_ hash: BlobHash, in space: Int64, by own: PersonID) throws -> Bool {
        try exists(
            "SELECT 1 FROM blob_access WHERE space = ? AND hash = ? AND fetched = 1", space, hash)
            || isNamed(hash, in: space, by: own)
    }

    /// Whether the content may be used here for records of a space: also before such a record is
    /// written.
    func mayUse(_ hash: BlobHash, in space: Int64, by own: PersonID) throws -> Bool {
        try exists("SELECT 1 FROM blob_access WHERE space = ? AND hash = ?", space, hash)
            || isNamed(hash, in: space, by: own)
    }

    private func isNamed(_ hash: BlobHash, in space: Int64, by own: PersonID) throws -> Bool {
        try PreparedStatement(
            database,
            "SELECT 1 FROM blob_reference WHERE space = ? AND hash = ? AND creator = ? LIMIT 1"
        ).first({
            $0.append(space)
            $0.append(hash)
            $0.append(own)
        }) { _ in true } ?? false
    }

    private func exists(_ sql: String, _ space: Int64, _ hash: BlobHash) throws -> Bool {
        try PreparedStatement(database, sql + " LIMIT 1").first({
            $0.append(space)
            $0.append(hash)
        }) { _ in true } ?? false
    }

    // MARK: Content

    /// A blob whose file is here.
    struct Stored {
        let hash: BlobHash
        let bytes: Int
        /// When it was last used, exact to an hour.
        let used: Timestamp
    }

    /// Returns a stored blob, or nil.
    func stored(_ hash: BlobHash) throws -> Stored? {
        try PreparedStatement(database, "SELECT hash, bytes, used FROM blob WHERE hash = ?")
            .first({ $0.append(hash) }, BlobTable.stored)
    }

    private static func stored(_ columns: Columns) throws -> Stored {
        Stored(
            hash: try columns.identifier(0, as: BlobHash.self), bytes: Int(columns.integer(1)),
            used: Timestamp(milliseconds: columns.integer(2)))
    }

    /// Records that content is here, for a space.
    func insert(
        _ hash: BlobHash, bytes: Int, in space: Int64, isFetched: Bool, at time: Timestamp
    ) throws {
        try database.execute(
            sql: "INSERT OR REPLACE INTO blob VALUES (?, ?, ?)",
            arguments: [hash.sql, bytes, time.milliseconds])
        try database.execute(
            sql: """
                INSERT INTO blob_access VALUES (?, ?, ?) ON CONFLICT DO UPDATE
                SET fetched = max(fetched, excluded.fetched)
                """,
            arguments: [space, hash.sql, isFetched ? 1 : 0])
        try SmallContentTable(database: database, space: space).settle(hash)
    }

    /// Records that content was used.
    func recordUse(of hash: BlobHash, at time: Timestamp) throws {
        try database.execute(
            sql: "UPDATE blob SET used = ? WHERE hash = ?",
            arguments: [time.milliseconds, hash.sql])
    }

    /// Closes content to a space.
    /// - Returns: whether it was open.
    @discardableResult
    func close(_ hash: BlobHash, to space: Int64) throws -> Bool {
        try database.execute(
            sql: "DELETE FROM blob_access WHERE space = ? AND hash = ?",
            arguments: [space, hash.sql])
        return database.changesCount > 0
    }

    /// Forgets content whose file is gone or is about to be.
    func forget(_ hash: BlobHash) throws {
        for table in ["blob", "blob_access"] {
            try database.execute(
                sql: "DELETE FROM \(table) WHERE hash = ?", arguments: [hash.sql])
        }
    }

    /// The condition for content that no space may use.
    private static let isUnreachable = """
        NOT EXISTS (SELECT 1 FROM blob_access a WHERE a.hash = blob.hash) AND NOT EXISTS
            (SELECT 1 FROM blob_reference r WHERE r.hash = blob.hash AND r.creator = ?)
        """

    /// Whether content is here that no space may use any more.
    func isUnreachable(_ hash: BlobHash, by own: PersonID) throws -> Bool {
        try Int.fetchOne(
            database, sql: "SELECT 1 FROM blob WHERE \(BlobTable.isUnreachable) AND hash = ?",
            arguments: [own.sql, hash.sql]) != nil
    }

    /// Returns all content that no space may use any more.
    func unreachable(by own: PersonID) throws -> [BlobHash] {
        try hashes("SELECT hash FROM blob WHERE \(BlobTable.isUnreachable)", [own.sql])
    }

    /// The hashes of all stored content.
    func hashes() throws -> [BlobHash] { try hashes("SELECT hash FROM blob", []) }

    /// The content that is open to a space.
    func hashes(in space: Int64) throws -> [BlobHash] {
        try hashes("SELECT hash FROM blob_access WHERE space = ?", [space])
    }

    private func hashes(_ sql: String, _ arguments: StatementArguments) throws -> [BlobHash] {
        try GRDB.Row.fetchAll(database, sql: sql, arguments: arguments).map {
            try $0.identifier(0, as: BlobHash.self)
        }
    }

    /// Stored content, and a record that names it, if there is one.
    struct NamedContent {
        let hash: BlobHash
        let bytes: Int
        let named: (space: Int64, blob: Blob)?
    }

    /// Returns all stored content.
    func allNamed() throws -> [NamedContent] {
        try GRDB.Row.fetchAll(
            database,
            sql: """
                SELECT b.hash, b.bytes, r.space, r.value FROM blob b
                LEFT JOIN blob_reference r ON r.hash = b.hash GROUP BY b.hash
                """
        ).map { row in
            let space: Int64? = row[2]
            return NamedContent(
                hash: try row.identifier(0, as: BlobHash.self), bytes: row[1],
                named: try space.map { ($0, try Blob(decoding: row.bytes(3))) })
        }
    }

    /// Counts the files, their bytes and the bytes that may be evicted.
    func use(by own: PersonID) throws -> ContentUse {
        try PreparedStatement(
            database,
            """
            SELECT count(*), ifnull(sum(bytes), 0), ifnull(sum(CASE WHEN EXISTS
                (SELECT 1 FROM blob_reference r WHERE r.hash = blob.hash AND r.creator = ?)
                THEN 0 ELSE bytes + \(Limits.blobFileBytes) END), 0) FROM blob
            """
        ).first({ $0.append(own) }) { columns in
            ContentUse(
                filesCount: Int(columns.integer(0)), bytesCount: Int(columns.integer(1)),
                evictableBytes: Int(columns.integer(2)))
        } ?? ContentUse(filesCount: 0, bytesCount: 0, evictableBytes: 0)
    }

    /// Visits the content that may be evicted, since no own record names it: first what no record
    /// names, then what was not used for longest.
    /// - Parameter visit: gets each content, whether a record names it, and whether it is here for
    ///   open spaces only; returns whether to continue.
    func visitEvictable(
        by own: PersonID, _ visit: (Stored, _ isNamed: Bool, _ isOpen: Bool) throws -> Bool
    ) throws {
        try PreparedStatement(
            database,
            """
            SELECT hash, bytes, used,
                EXISTS (SELECT 1 FROM blob_reference r WHERE r.hash = blob.hash) AS named,
                NOT EXISTS (SELECT 1 FROM blob_access a JOIN space s ON s.number = a.space
                    WHERE a.hash = blob.hash AND s.kind <> '\(SpaceKind.open.name)')
            FROM blob WHERE NOT EXISTS
                (SELECT 1 FROM blob_reference r WHERE r.hash = blob.hash AND r.creator = ?)
            ORDER BY named, used
            """
        ).rows({ $0.append(own) }) {
            try visit(try BlobTable.stored($0), $0.integer(3) != 0, $0.integer(4) != 0)
        }
    }

    /// Returns blobs that own records name and whose content is not here, in the order of their
    /// spaces and hashes.
    /// - Parameter position: the blob after which to go on; nil for the first ones.
    func missing(
        of own: PersonID, after position: (space: Int64, hash: BlobHash)?, countMax: Int
    ) throws -> [(space: Int64, blob: Blob)] {
        try GRDB.Row.fetchAll(
            database,
            sql: """
                SELECT space, value FROM blob_reference r
                WHERE creator = ?1 AND (space, hash) > (?2, ?3)
                    AND NOT EXISTS (SELECT 1 FROM blob b WHERE b.hash = r.hash)
                GROUP BY space, hash ORDER BY space, hash LIMIT ?4
                """,
            arguments: [
                own.sql, position?.space ?? -1, (position?.hash.bytes ?? []).sql, countMax,
            ]
        ).map { (space: $0[0], blob: try Blob(decoding: $0.bytes(1))) }
    }
}

internal import GRDB
internal import Records

/// The core's tables and views, and the tables of the declared collections.
enum Schema {
    /// Every version of the core's tables. A released migration never changes.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { database in
            for statement in firstVersion { try database.execute(sql: statement) }
        }
        migrator.registerMigration("2") { database in
            for statement in secondVersion { try database.execute(sql: statement) }
            try ControlTable.fill(database)
        }
        migrator.registerMigration("epoch") { database in
            try database.execute(
                sql: """
                    CREATE TABLE epoch (device BLOB PRIMARY KEY, epoch BLOB NOT NULL) WITHOUT ROWID
                    """)
        }
        migrator.registerMigration("erasing") { database in
            for statement in erasing { try database.execute(sql: statement) }
        }
        migrator.registerMigration("cut own") { database in
            try database.execute(sql: cutOwn)
        }
        migrator.registerMigration("what erases name") { database in
            for statement in named { try database.execute(sql: statement) }
            try ErasureTable.fill(database)
        }
        migrator.registerMigration("held by batch") { database in
            try database.execute(sql: "CREATE INDEX held_batch ON held (batch)")
        }
        migrator.registerMigration("doubted") { database in
            try database.execute(sql: doubted)
        }
        migrator.registerMigration("bytes of logs") { database in
            for column in ["bytes", "summed"] {
                try database.execute(
                    sql: "ALTER TABLE log ADD COLUMN \(column) INTEGER NOT NULL DEFAULT 0")
            }
            try LogBytes(database: database).countAll()
        }
        migrator.registerMigration("reserve") { database in
            try database.execute(
                sql: """
                    CREATE TABLE reserve (person BLOB PRIMARY KEY, bytes INTEGER NOT NULL)
                    WITHOUT ROWID
                    """)
        }
        migrator.registerMigration("rows of logs") { database in
            try RowCountColumns.create(in: database)
        }
        migrator.registerMigration("blobs") { database in
            for statement in BlobTable.createSQL { try database.execute(sql: statement) }
        }
        migrator.registerMigration("open spaces") { database in
            for statement in openSpaces { try database.execute(sql: statement) }
        }
        migrator.registerMigration("small content") { database in
            for statement in SmallContentTable.createSQL { try database.execute(sql: statement) }
        }
        migrator.registerMigration("small content by author") { database in
            try database.execute(sql: SmallContentTable.createDueByAuthorSQL)
        }
        migrator.registerMigration("returned people") { database in
            try database.execute(sql: ReturnedPeople.createSQL)
        }
        return migrator
    }

    /// The hot path is `batch` and `register`: two B-trees, no secondary index, no trigger.
    ///
    /// `batch.id` is the log's number, shifted left by 40 bits, and the batch's number; other
    /// tables refer to batches by it. A batch's header is rebuilt from these columns. `register`
    /// holds the winning operation per field and slot; the slot is empty, or the writing person if
    /// another field names the writer. `element` holds the dots of the sets.
    private static let firstVersion = [
        """
        CREATE TABLE space (number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE,
            descriptor BLOB NOT NULL, kind TEXT NOT NULL, person BLOB)
        """,
        "CREATE TABLE person (person BLOB PRIMARY KEY, record BLOB NOT NULL) WITHOUT ROWID",
        """
        CREATE TABLE device (number INTEGER PRIMARY KEY, device BLOB NOT NULL,
            person BLOB NOT NULL, UNIQUE (device, person))
        """,
        """
        CREATE TABLE log (number INTEGER PRIMARY KEY, space INTEGER NOT NULL,
            device BLOB NOT NULL, branch BLOB NOT NULL, person BLOB NOT NULL,
            UNIQUE (space, device, branch))
        """,
        """
        CREATE TABLE batch (id INTEGER PRIMARY KEY, stamp INTEGER NOT NULL,
            epoch INTEGER NOT NULL, arrived INTEGER NOT NULL, hash BLOB NOT NULL,
            body BLOB NOT NULL, signature BLOB)
        """,
        """
        CREATE TABLE held (space INTEGER NOT NULL, stamp INTEGER NOT NULL,
            batch INTEGER NOT NULL, PRIMARY KEY (space, stamp, batch)) WITHOUT ROWID
        """,
        """
        CREATE TABLE register (space INTEGER NOT NULL, entity BLOB NOT NULL,
            field INTEGER NOT NULL, slot BLOB NOT NULL, stamp INTEGER NOT NULL,
            batch INTEGER NOT NULL, op INTEGER NOT NULL, value BLOB,
            PRIMARY KEY (space, entity, field, slot)) WITHOUT ROWID
        """,
        """
        CREATE TABLE element (space INTEGER NOT NULL, entity BLOB NOT NULL,
            field INTEGER NOT NULL, slot BLOB NOT NULL, dot BLOB NOT NULL, value NOT NULL,
            PRIMARY KEY (space, entity, field, slot, dot)) WITHOUT ROWID
        """,
        """
        CREATE TABLE removed (space INTEGER NOT NULL, entity BLOB NOT NULL,
            field INTEGER NOT NULL, slot BLOB NOT NULL, dot BLOB NOT NULL,
            PRIMARY KEY (space, entity, field, slot, dot)) WITHOUT ROWID
        """,
        """
        CREATE TABLE waiting (space INTEGER NOT NULL, collection INTEGER NOT NULL,
            entity BLOB NOT NULL, batch INTEGER NOT NULL, op INTEGER NOT NULL,
            PRIMARY KEY (space, collection, entity, batch, op)) WITHOUT ROWID
        """,
        """
        CREATE TABLE void (space INTEGER NOT NULL, batch INTEGER NOT NULL,
            op INTEGER NOT NULL, PRIMARY KEY (space, batch, op)) WITHOUT ROWID
        """,
        """
        CREATE TABLE acknowledged (space INTEGER NOT NULL, log INTEGER NOT NULL,
            device BLOB NOT NULL, number INTEGER NOT NULL,
            PRIMARY KEY (space, log, device)) WITHOUT ROWID
        """,
        "CREATE TABLE collection (name TEXT PRIMARY KEY, declaration TEXT NOT NULL, tables TEXT)",
        "CREATE TABLE start (count INTEGER NOT NULL)",
        "INSERT INTO start VALUES (0)",
    ]

    /// Forks and membership. A row of `log` that is one side of a fork names the row it continues
    /// and begins at `low`; `written` marks the row that this replica's device continues.
    /// `batch.branch` is null if the header names the log of the root row. `control` names the
    /// batches with control operations.
    private static let secondVersion = [
        "ALTER TABLE log ADD COLUMN parent INTEGER",
        "ALTER TABLE log ADD COLUMN low INTEGER NOT NULL DEFAULT 1",
        "ALTER TABLE log ADD COLUMN written INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE batch ADD COLUMN branch BLOB",
        """
        CREATE TABLE control (space INTEGER NOT NULL, batch INTEGER NOT NULL,
            PRIMARY KEY (space, batch)) WITHOUT ROWID
        """,
        """
        CREATE TABLE member (space INTEGER NOT NULL, person BLOB NOT NULL, role TEXT NOT NULL,
            state TEXT NOT NULL, PRIMARY KEY (space, person)) WITHOUT ROWID
        """,
    ]

    /// Erasing. `missing_body` names the batches whose body is missing although no erase names
    /// them. A row in `scrub` means that the files may still hold erased bytes.
    private static let erasing = [
        """
        CREATE TABLE missing_body (space INTEGER NOT NULL, batch INTEGER NOT NULL,
            PRIMARY KEY (space, batch)) WITHOUT ROWID
        """,
        "CREATE TABLE scrub (since INTEGER PRIMARY KEY)",
    ]

    /// `erasure` holds the batch that an erase by a person's device names, and the batch that
    /// contains the erase. `mention` holds the batches that write a record of an erasable
    /// collection; a rebuild fills it with the other merged tables.
    private static let named = [
        """
        CREATE TABLE erasure (space INTEGER NOT NULL, person BLOB NOT NULL, device BLOB NOT NULL,
            number INTEGER NOT NULL, hash BLOB NOT NULL, batch INTEGER NOT NULL,
            PRIMARY KEY (space, person, device, number, hash, batch)) WITHOUT ROWID
        """,
        """
        CREATE TABLE mention (space INTEGER NOT NULL, entity BLOB NOT NULL,
            batch INTEGER NOT NULL, PRIMARY KEY (space, entity, batch)) WITHOUT ROWID
        """,
    ]

    /// The devices whose logs a repair cut here; they sign no more numbers here. A new key is
    /// another device, so no row is ever removed.
    private static let cutOwn =
        "CREATE TABLE cut_own (device BLOB PRIMARY KEY) WITHOUT ROWID"

    /// The last batch of each device in a space when its person turned out to have lost data: the
    /// device may lack its own batches up to this number.
    private static let doubted = """
        CREATE TABLE doubted (space INTEGER NOT NULL, device BLOB NOT NULL,
            number INTEGER NOT NULL, PRIMARY KEY (space, device)) WITHOUT ROWID
        """

    /// Open spaces. A log may begin in the middle: `previous` is the hash before its first batch,
    /// and `previous_stamp` that batch's stamp, if it was here. `bringer` is the person who brought
    /// the log, `begun` the number of records that its batches begin. `allowance` counts the use of
    /// each day by a person's batches. `own_end` keeps the ends of this device's logs in spaces
    /// that were left. `brought` marks people who are known only because of a log of an open space.
    private static let openSpaces = [
        "ALTER TABLE log ADD COLUMN previous BLOB",
        "ALTER TABLE log ADD COLUMN previous_stamp INTEGER",
        "ALTER TABLE log ADD COLUMN bringer BLOB",
        "ALTER TABLE log ADD COLUMN begun INTEGER NOT NULL DEFAULT 0",
        """
        CREATE TABLE allowance (space INTEGER NOT NULL, person BLOB NOT NULL,
            day INTEGER NOT NULL, kind INTEGER NOT NULL, used INTEGER NOT NULL,
            PRIMARY KEY (space, person, day, kind)) WITHOUT ROWID
        """,
        """
        CREATE TABLE own_end (space BLOB NOT NULL, device BLOB NOT NULL, branch BLOB NOT NULL,
            person BLOB NOT NULL, number INTEGER NOT NULL, hash BLOB NOT NULL,
            stamp INTEGER NOT NULL, written INTEGER NOT NULL,
            PRIMARY KEY (space, device, branch)) WITHOUT ROWID
        """,
        "ALTER TABLE person ADD COLUMN brought INTEGER NOT NULL DEFAULT 0",
    ]

    /// The tables with rows of a space, besides those of collections and `batch`.
    static let tablesBySpace = [
        "log", "held", "register", "element", "removed", "waiting", "void", "acknowledged",
        "control", "member", "missing_body", "erasure", "mention", "doubted",
        "blob_access", "blob_reference", "allowance", "small_content", "small_day",
        "withdrawn_content",
    ]

    /// The views of the core for plugins. `waggle_batch.batch` is `log << 40 | number`: join on it
    /// rather than on the two, since it is the key.
    ///
    /// `waggle_log.branch` is null if the log never forked and its device began it as a founder or
    /// at its first invitation. So a plugin need not know its branch.
    ///
    /// `waggle_doubted` names, for each device that may have lost data, the last batch of its own
    /// that it may lack. A device without a row has what it wrote.
    ///
    /// Each view has a condition on one column that is always true, so that a read of the key alone
    /// differs from a read of the whole table; see ``ReadPermission``.
    static let coreViews = [
        ReplicaView(
            name: "waggle_space",
            sql: """
                SELECT number AS space, id, kind, person, descriptor FROM space WHERE id > ''
                """),
        ReplicaView(
            name: "waggle_log",
            sql: """
                SELECT number AS log, space, device,
                    nullif(branch, zeroblob(\(Bytes32.bytesCount))) AS branch, person
                FROM log WHERE device > ''
                """),
        ReplicaView(
            name: "waggle_batch",
            sql: """
                SELECT (SELECT space FROM log WHERE log.number = batch.id >> 40) AS space,
                    id >> 40 AS log, id & 1099511627775 AS number, id AS batch, stamp, arrived,
                    hash
                FROM batch WHERE hash > ''
                """),
        ReplicaView(
            name: "waggle_acknowledged",
            sql: """
                SELECT space, log, device,
                    (SELECT person FROM device WHERE device.device = acknowledged.device
                        ORDER BY device.number LIMIT 1) AS person, number
                FROM acknowledged
                """),
        ReplicaView(
            name: "waggle_doubted",
            sql: "SELECT space, device, number FROM doubted WHERE device > ''"),
        ReplicaView(
            name: "waggle_member",
            sql: "SELECT space, person, role, state FROM member WHERE person > ''"),
        ReplicaView(
            name: "waggle_fork",
            sql: """
                SELECT space, number AS log, device, person, low AS number FROM log
                WHERE parent IS NOT NULL
                """),
    ]

    /// Updates tables and views to the declarations. Nothing is written if they are up to date.
    /// - Returns: the kinds of space whose tables are empty now and must be rebuilt.
    /// - Throws: ``ReplicaFault/declaration(_:)`` for a view that cannot be read.
    static func declare(
        _ catalog: Catalog, _ views: [ReplicaView], in database: Database
    ) throws -> Set<SpaceKind> {
        let (kinds, isChanged) = try createTables(of: catalog, in: database)
        let stored = try GRDB.Row.fetchAll(
            database, sql: "SELECT name, sql FROM sqlite_master WHERE type = 'view' ORDER BY rowid")
        let wanted = (coreViews + views).map(createSQL)
        guard isChanged || stored.map({ $0[1] as String? }) != wanted else { return kinds }
        for name in stored.map({ $0[0] as String }) {
            try database.execute(sql: "DROP VIEW \"\(name)\"")
        }
        try createViews(views, in: database)
        return kinds
    }

    private static func createViews(_ views: [ReplicaView], in database: Database) throws {
        for view in coreViews { try create(view, in: database) }
        for view in views {
            guard DeclarationCheck.isName(view.name) else {
                throw ReplicaFault.declaration("\(view.name) is not a valid name for a view")
            }
            try judging(view) { try create(view, in: database) }
        }
        // A view may read another that comes later in the list.
        for view in views {
            try judging(view) {
                _ = try database.makeStatement(sql: "SELECT * FROM \"\(view.name)\"")
            }
        }
    }

    private static func judging(_ view: ReplicaView, _ work: () throws -> Void) throws {
        do {
            try work()
        } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
            throw ReplicaFault.declaration("view \(view.name): \(error.message ?? "")")
        }
    }

    private static func create(_ view: ReplicaView, in database: Database) throws {
        try database.execute(sql: createSQL(view))
    }

    /// Returns the text that SQLite stores for a view.
    private static func createSQL(_ view: ReplicaView) -> String {
        "CREATE VIEW \"\(view.name)\" AS \(view.sql)"
    }

    /// Creates the tables of collections that are new or whose declaration changed, and drops those
    /// of collections that are no longer declared.
    private static func createTables(
        of catalog: Catalog, in database: Database
    ) throws -> (kindsToRebuild: Set<SpaceKind>, isChanged: Bool) {
        let (current, hasDropped) = try dropOutdated(catalog, in: database)
        var kinds: Set<SpaceKind> = []
        for table in catalog.all where !current.contains(table.collection.name) {
            for statement in table.createSQL { try database.execute(sql: statement) }
            try database.execute(
                sql: "INSERT INTO collection VALUES (?, ?, ?)",
                arguments: [
                    table.collection.name, table.declaration,
                    table.allNames.joined(separator: " "),
                ])
            kinds.formUnion(table.collection.spaces)
        }
        return (kinds, hasDropped || catalog.all.count > current.count)
    }

    /// - Returns: the names of the collections whose tables are up to date, and whether others were
    ///   dropped.
    private static func dropOutdated(
        _ catalog: Catalog, in database: Database
    ) throws -> (current: Set<String>, hasDropped: Bool) {
        var current: Set<String> = []
        var hasDropped = false
        for row in try GRDB.Row.fetchAll(
            database, sql: "SELECT name, declaration, tables FROM collection")
        {
            let (name, declaration): (String, String) = (row[0], row[1])
            if catalog.table(named: name)?.declaration == declaration {
                current.insert(name)
            } else {
                hasDropped = true
                try BlobTable(database: database).forget(collection: name)
                for table in (row[2] as String).split(separator: " ") {
                    try database.execute(sql: "DROP TABLE IF EXISTS \"\(table)\"")
                }
                try database.execute(
                    sql: "DELETE FROM collection WHERE name = ?", arguments: [name])
            }
        }
        return (current, hasDropped)
    }
}

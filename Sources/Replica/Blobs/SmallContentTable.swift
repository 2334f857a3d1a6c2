internal import GRDB
internal import Records

/// The tables of content that is fetched with its record, and of content that records of open
/// spaces named until now.
///
/// `small_content` has a row for each such field that counts and names content; `small_day` the
/// people's days that must be judged again, and `withdrawn_content` what may have to be closed.
/// Triggers on the collections' tables keep them. The transaction that changed a record empties the
/// last two before it ends.
struct SmallContentTable {
    let database: Database
    /// The space's number in this database.
    let space: Int64

    /// The states of a row's content.
    private enum State {
        /// It is beyond what its author may have on that day.
        static let surplus: Int64 = 0
        /// It counts, and is to be fetched.
        static let due: Int64 = 1
        /// It counts, and was fetched or given up.
        static let settled: Int64 = 2
    }

    static let createSQL = [
        """
        CREATE TABLE small_content (space INTEGER NOT NULL, collection INTEGER NOT NULL,
            entity BLOB NOT NULL, field INTEGER NOT NULL, creator BLOB NOT NULL,
            stamp INTEGER NOT NULL, hash BLOB NOT NULL, value BLOB NOT NULL,
            state INTEGER NOT NULL, PRIMARY KEY (space, collection, entity, field)) WITHOUT ROWID
        """,
        """
        CREATE INDEX small_content_day ON small_content
            (space, creator, stamp, collection, entity, field)
        """,
        "CREATE INDEX small_content_hash ON small_content (space, hash)",
        "CREATE INDEX small_content_due ON small_content (stamp) WHERE state = 1",
        """
        CREATE TABLE small_day (space INTEGER NOT NULL, creator BLOB NOT NULL,
            day INTEGER NOT NULL, PRIMARY KEY (space, creator, day)) WITHOUT ROWID
        """,
        """
        CREATE TABLE withdrawn_content (space INTEGER NOT NULL, hash BLOB NOT NULL,
            PRIMARY KEY (space, hash)) WITHOUT ROWID
        """,
    ]

    static let createDueByAuthorSQL = """
        CREATE INDEX small_content_due_by_author ON small_content (space, creator, stamp)
            WHERE state = 1
        """

    // MARK: Triggers

    /// Returns the triggers of one blob field of a collection that may be in open spaces.
    static func triggers(
        of field: RecordCollection.Field, in collection: RecordCollection
    ) -> [String] {
        guard collection.spaces.contains(.open) else { return [] }
        let (table, column) = ("\"\(collection.table)\"", "\"\(field.name)\"")
        let name = "\(collection.table)_\(field.name)"
        let withdraw = """
            INSERT OR IGNORE INTO withdrawn_content
                SELECT old.space, substr(old.\(column), 1, \(Bytes32.bytesCount))
                WHERE EXISTS (SELECT 1 FROM space s WHERE s.number = old.space
                    AND s.kind = '\(SpaceKind.open.name)');
            """
        let withdrawing = [
            """
            CREATE TRIGGER "\(name)_replaced" AFTER UPDATE OF \(column) ON \(table)
            WHEN old.\(column) IS NOT NULL AND old.\(column) IS NOT new.\(column)
            BEGIN \(withdraw) END
            """,
            """
            CREATE TRIGGER "\(name)_gone" AFTER DELETE ON \(table)
            WHEN old.\(column) IS NOT NULL BEGIN \(withdraw) END
            """,
        ]
        guard field.fetched == .withRecord else { return withdrawing }
        let (insert, delete) = smallSQL(of: field, in: collection)
        return withdrawing + [
            "CREATE TRIGGER \"\(name)_came\" AFTER INSERT ON \(table) BEGIN \(insert) END",
            """
            CREATE TRIGGER "\(name)_changed" AFTER UPDATE OF stamp, \(column) ON \(table)
            WHEN old.stamp <> new.stamp OR old.\(column) IS NOT new.\(column)
            BEGIN \(delete) \(insert) END
            """,
            "CREATE TRIGGER \"\(name)_went\" AFTER DELETE ON \(table) BEGIN \(delete) END",
        ]
    }

    private static func smallSQL(
        of field: RecordCollection.Field, in collection: RecordCollection
    ) -> (insert: String, delete: String) {
        let column = "\"\(field.name)\""
        let (id, number) = (collection.id.rawValue, field.number)
        func judge(_ row: String) -> String {
            """
            INSERT OR IGNORE INTO small_day
                SELECT \(row).space, \(row).creator, (\(row).stamp >> 16) / \(dayMilliseconds)
                WHERE \(row).\(column) IS NOT NULL;
            """
        }
        let insert = """
            INSERT INTO small_content SELECT new.space, \(id), new.entity, \(number), new.creator,
                new.stamp, substr(new.\(column), 1, \(Bytes32.bytesCount)), new.\(column),
                \(State.surplus) WHERE new.\(column) IS NOT NULL;
            \(judge("new"))
            """
        let delete = """
            DELETE FROM small_content WHERE space = old.space AND collection = \(id)
                AND entity = old.entity AND field = \(number);
            \(judge("old"))
            """
        return (insert, delete)
    }

    private static let dayMilliseconds = 24 * 60 * 60 * 1000

    // MARK: The allowance of a day

    /// One row, and the content that it names.
    private struct Named {
        let row: (stamp: Int64, collection: Int64, entity: [UInt8], field: Int64)
        let hash: BlobHash
        let value: [UInt8]
        let state: Int64
    }

    /// Judges the days whose records changed: each person's content counts in the order of the
    /// records' stamps, up to the first one with which there would be more than
    /// ``Limits/smallContentDayBytesMax``.
    ///
    /// Every replica with the same records comes to the same result, whatever the order in which
    /// they arrived.
    /// - Parameter own: this replica's people, whose content comes from their devices.
    func judgeDays(own: Set<PersonID>) throws {
        let days = try GRDB.Row.fetchAll(
            database, sql: "SELECT creator, day FROM small_day WHERE space = ?",
            arguments: [space])
        guard !days.isEmpty else { return }
        for row in days {
            let creator = try row.identifier(0, as: PersonID.self)
            try judge(row[1], of: creator, isOwn: own.contains(creator))
        }
        try database.execute(sql: "DELETE FROM small_day WHERE space = ?", arguments: [space])
    }

    private func judge(_ day: Int64, of creator: PersonID, isOwn: Bool) throws {
        let first = day * Int64(SmallContentTable.dayMilliseconds) << 16
        let end = (day + 1) * Int64(SmallContentTable.dayMilliseconds) << 16
        var (bytes, known, counted) = (0, Set<[UInt8]>(), [Named]())
        var isOver = false
        try PreparedStatement(
            database,
            """
            SELECT stamp, collection, entity, field, hash, value, state FROM small_content
            WHERE space = ? AND creator = ? AND stamp >= ? AND stamp < ?
            ORDER BY stamp, collection, entity, field
            """
        ).rows({
            $0.append(space)
            $0.append(creator)
            $0.append(first)
            $0.append(end)
        }) { columns in
            let named = Named(
                row: (
                    columns.integer(0), columns.integer(1), columns.bytes(2), columns.integer(3)
                ),
                hash: try columns.identifier(4, as: BlobHash.self), value: columns.bytes(5),
                state: columns.integer(6))
            if known.insert(named.value).inserted {
                let size = (try? Blob(decoding: named.value))?.bytesCount ?? Int.max / 2
                bytes += max(size, Limits.smallContentCostMin)
            }
            isOver = bytes > Limits.smallContentDayBytesMax
            if !isOver { counted.append(named) }
            return !isOver
        }
        for named in counted where named.state == State.surplus {
            let isHere = try isOwn || isOpen(named.hash)
            try set(isHere ? State.settled : State.due, of: named)
        }
        if isOver { try withdrawSurplus(of: creator, first..<end, after: counted.last) }
    }

    private func isOpen(_ hash: BlobHash) throws -> Bool {
        try Bool.fetchOne(
            database,
            sql: "SELECT EXISTS (SELECT 1 FROM blob_access WHERE space = ? AND hash = ?)",
            arguments: [space, hash.sql]) ?? false
    }

    private func set(_ state: Int64, of named: Named) throws {
        try PreparedStatement(
            database,
            """
            UPDATE small_content SET state = ?
            WHERE space = ? AND collection = ? AND entity = ? AND field = ?
            """
        ).run {
            $0.append(state)
            $0.append(space)
            $0.append(named.row.collection)
            $0.append(named.row.entity)
            $0.append(named.row.field)
        }
    }

    /// Closes content that no longer counts.
    private func withdrawSurplus(
        of creator: PersonID, _ stamps: Range<Int64>, after last: Named?
    ) throws {
        let surplus = """
            space = ? AND creator = ? AND stamp >= ? AND stamp < ?
                AND (stamp, collection, entity, field) > (?, ?, ?, ?) AND state <> \(State.surplus)
            """
        let arguments: StatementArguments = [
            space, creator.sql, stamps.lowerBound, stamps.upperBound, last?.row.stamp ?? 0,
            last?.row.collection ?? 0, (last?.row.entity ?? []).sql, last?.row.field ?? 0,
        ]
        try database.execute(
            sql: """
                INSERT OR IGNORE INTO withdrawn_content
                    SELECT space, hash FROM small_content WHERE \(surplus)
                """, arguments: arguments)
        try database.execute(
            sql: "UPDATE small_content SET state = \(State.surplus) WHERE \(surplus)",
            arguments: arguments)
    }

    /// Returns, and forgets, the content that records may have ceased to name.
    func removeWithdrawn() throws -> [BlobHash] {
        let hashes = try GRDB.Row.fetchAll(
            database, sql: "SELECT hash FROM withdrawn_content WHERE space = ?",
            arguments: [space]
        ).map { try $0.identifier(0, as: BlobHash.self) }
        guard !hashes.isEmpty else { return [] }
        try database.execute(
            sql: "DELETE FROM withdrawn_content WHERE space = ?", arguments: [space])
        return hashes
    }

    // MARK: Fetching

    /// Records that content was fetched.
    func settle(_ hash: BlobHash) throws {
        try database.execute(
            sql: """
                UPDATE small_content SET state = \(State.settled)
                WHERE space = ? AND hash = ? AND state = \(State.due)
                """, arguments: [space, hash.sql])
    }

    /// Records that content is not looked for any more unless it is wanted. What other records say
    /// of the same hash, with another length, stays due.
    func giveUp(_ blob: Blob) throws {
        try database.execute(
            sql: """
                UPDATE small_content SET state = \(State.settled)
                WHERE space = ? AND hash = ? AND value = ? AND state = \(State.due)
                """, arguments: [space, blob.hash.sql, blob.encoded.sql])
    }

    /// Content that is to be fetched with its record.
    struct Due {
        let space: Int64
        let blob: Blob
        let creator: PersonID
        let stamp: Int64
    }

    private static let dueSQL = """
        SELECT space, value, creator, stamp FROM small_content WHERE state = \(State.due)
        """

    /// Visits what is to be fetched in all spaces, that of the latest records first.
    /// - Parameter visit: returns whether to continue.
    static func visitDue(_ database: Database, _ visit: (Due) -> Bool) throws {
        try PreparedStatement(database, "\(dueSQL) ORDER BY stamp DESC").rows({ _ in }) {
            try due($0).map(visit) ?? true
        }
    }

    /// Returns those of some people of whom something is to be fetched. A query finds the next
    /// author of something, and the next query begins after them, so most others cost nothing.
    /// - Parameter people: in ascending order.
    func creatorsDue(among people: [PersonID]) throws -> [PersonID] {
        var (found, rest): ([PersonID], ArraySlice<PersonID>) = ([], people[...])
        while let next = rest.first, let creator = try firstDueCreator(from: next) {
            rest = rest.drop { $0 < creator }
            guard rest.first == creator else { continue }
            found.append(creator)
            rest.removeFirst()
        }
        return found
    }

    /// Returns the first person, from one on, of whom something is to be fetched.
    private func firstDueCreator(from person: PersonID) throws -> PersonID? {
        try PreparedStatement(
            database,
            """
            SELECT creator FROM small_content
            WHERE state = \(State.due) AND space = ? AND creator >= ? ORDER BY creator LIMIT 1
            """
        ).first({
            $0.append(space)
            $0.append(person)
        }) { try $0.identifier(0, as: PersonID.self) }
    }

    /// Visits what is to be fetched of one person, that of the latest records first.
    /// - Parameter visit: returns whether to continue.
    func visitDue(of creator: PersonID, _ visit: (Due) -> Bool) throws {
        try PreparedStatement(
            database,
            """
            \(SmallContentTable.dueSQL) AND space = ? AND creator = ? ORDER BY stamp DESC
            """
        ).rows({
            $0.append(space)
            $0.append(creator)
        }) {
            try SmallContentTable.due($0).map(visit) ?? true
        }
    }

    private static func due(_ columns: Columns) throws -> Due? {
        guard let blob = try? Blob(decoding: columns.bytes(1)) else { return nil }
        return Due(
            space: columns.integer(0), blob: blob,
            creator: try columns.identifier(2, as: PersonID.self), stamp: columns.integer(3))
    }
}

extension SpaceTransaction {
    /// Judges the small content of an open space whose records changed, and closes content that no
    /// record names any more, whatever the reason: an edit, an erase, an expiry or a cut.
    func settleOpenContent() throws {
        guard isOpen, catalog.hasOpenBlobs else { return }
        let number = state.space.number
        let small = SmallContentTable(database: database, space: number)
        try small.judgeDays(own: openPeople.own)
        let table = BlobTable(database: database)
        for hash in try small.removeWithdrawn() where try !table.isWanted(hash, in: number) {
            try table.close(hash, to: number)
            state.closedContent.insert(hash)
        }
    }
}

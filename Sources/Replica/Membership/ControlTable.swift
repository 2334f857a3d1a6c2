internal import GRDB
internal import Records

/// The batches of a space with control operations, and the members that follow from them.
struct ControlTable {
    let database: Database
    /// The space's number in this database.
    let space: Int64

    /// Records that a batch has control operations.
    func insert(_ place: BatchPlace) throws {
        try database.cachedStatement(sql: "INSERT OR IGNORE INTO control VALUES (?, ?)")
            .execute(arguments: [space, place.rowID])
    }

    /// Visits the batches with control operations that are not held. A damaged one is ignored until
    /// it is repaired.
    /// - Returns: whether every batch was readable.
    func forEach(
        _ authors: (Int64) -> PlacedBatch.Author?, _ visit: (PlacedBatch) throws -> Void
    ) throws -> Bool {
        let batches = BatchTable(database: database)
        let rows = try Int64.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT batch FROM control WHERE space = ?1
                    AND batch NOT IN (SELECT batch FROM held WHERE space = ?1) ORDER BY batch
                    """), arguments: [space])
        return try read(rows, batches, authors, visit)
    }

    /// Visits the batches of one row of a log with control operations that are not held.
    /// - Returns: whether every batch was readable.
    func forEach(
        of author: PlacedBatch.Author, inLog log: Int64, _ visit: (PlacedBatch) throws -> Void
    ) throws -> Bool {
        let places = BatchPlace.rows(ofLog: log)
        let rows = try Int64.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT batch FROM control WHERE space = ? AND batch BETWEEN ? AND ?
                    AND NOT EXISTS (SELECT 1 FROM held WHERE held.batch = control.batch)
                    ORDER BY batch
                    """), arguments: [space, places.lowerBound, places.upperBound])
        return try read(rows, BatchTable(database: database), { _ in author }, visit)
    }

    private func read(
        _ rows: [Int64], _ batches: BatchTable, _ authors: (Int64) -> PlacedBatch.Author?,
        _ visit: (PlacedBatch) throws -> Void
    ) throws -> Bool {
        var isWhole = true
        for place in rows.map(BatchPlace.init(rowID:)) {
            guard let stored = try batches.batch(at: place), let author = authors(place.log),
                let content = stored.readableContent
            else {
                isWhole = false
                continue
            }
            guard let body = content.body else { continue }
            try visit(
                PlacedBatch(
                    place: place, author: author, stamp: stored.stamp, hash: stored.hash,
                    body: body))
        }
        return isWhole
    }

    /// Stores the author of each device that several people claim.
    /// - Returns: whether another person was stored for one of them.
    func storeAuthors(_ state: SpaceState) throws -> Bool {
        var hasChanged = false
        for row in state.membership.authors.keys.flatMap(state.rows) {
            guard let entry = state.logs[row] else { continue }
            try database.execute(
                sql: "UPDATE log SET person = ? WHERE number = ? AND person <> ?",
                arguments: [entry.person.sql, entry.number, entry.person.sql])
            hasChanged = hasChanged || database.changesCount > 0
        }
        return hasChanged
    }

    /// Stores the members of the space, unless they are stored already.
    func store(_ members: [Member]) throws {
        let wanted = members.map { [$0.person.description, $0.role.name, $0.state.rawValue] }
        let present = try GRDB.Row.fetchAll(
            database.cachedStatement(
                sql: "SELECT person, role, state FROM member WHERE space = ? ORDER BY person"),
            arguments: [space])
        let known = try present.map { row in
            [try row.identifier(0, as: PersonID.self).description, row[1] as String, row[2]]
        }
        guard known != wanted else { return }
        try PreparedStatement(database, "DELETE FROM member WHERE space = ?")
            .run { $0.append(space) }
        let insertion = try database.cachedStatement(sql: "INSERT INTO member VALUES (?, ?, ?, ?)")
        for member in members {
            try insertion.execute(
                arguments: [space, member.person.sql, member.role.name, member.state.rawValue])
        }
    }

    /// Records the batches with control operations of a database that had no table for them. If
    /// there are any, they had no effect before, so clearing the declarations makes every
    /// collection be merged again.
    static func fill(_ database: Database) throws {
        let batches = BatchTable(database: database)
        for row in try GRDB.Row.fetchAll(database, sql: "SELECT number, space FROM log") {
            let table = ControlTable(database: database, space: row[1])
            try batches.walk(log: row[0], after: 0) { stored in
                if stored.readableContent?.body?.hasControl ?? false {
                    try table.insert(stored.place)
                }
                return true
            }
        }
        try database.execute(
            sql: "UPDATE collection SET declaration = '' WHERE EXISTS (SELECT 1 FROM control)")
    }
}

extension PlacedBatch {
    /// The control operations of the batch that can have an effect: all erases, and as many of the
    /// others as a batch may have.
    var controlFacts: [ControlFact] {
        let name = BatchName(log: author.log, number: place.number, hash: hash)
        var facts: [ControlFact] = []
        var othersCount = 0
        for (index, operation) in body.operations.enumerated()
        where operation.collection == .control {
            let fact = ControlFact(
                author: author.person, batch: name, stamp: stamp, index: index,
                action: operation.action)
            if fact.erased == nil {
                othersCount += 1
                guard othersCount <= Limits.controlOperationsMax else { continue }
            }
            facts.append(fact)
        }
        return facts
    }
}

internal import GRDB
internal import Records

/// The erases of one space that are stored and due, by the batches they name. Whether an erase
/// counts depends on cuts, so that is decided when it is used.
///
/// They are on the disk and not in memory: an erase may name a batch that never arrives, so only
/// the size of the log bounds how many erases a member can write.
struct ErasureTable {
    let database: Database
    /// The space's number in this database.
    let space: Int64

    /// One erase.
    struct Erasure {
        /// The batch that contains it.
        let eraser: BatchPlace
        /// The person whose device wrote it.
        let author: PersonID
        /// The batch it names.
        let name: BatchName
    }

    /// Stores the erases among the control operations of a batch.
    /// - Returns: whether there was any.
    func insert(_ facts: [ControlFact], at place: BatchPlace) throws -> Bool {
        var hasAny = false
        for fact in facts {
            guard let name = fact.erased else { continue }
            hasAny = true
            try PreparedStatement(
                database, "INSERT OR IGNORE INTO erasure VALUES (?, ?, ?, ?, ?, ?)"
            ).run {
                $0.append(space, name, by: fact.author)
                $0.append(place.rowID)
            }
        }
        return hasAny
    }

    /// Returns the batches with erases by a person's devices that name a batch. The branch in the
    /// name is ignored, because a log may have been divided since.
    func erasers(of name: BatchName, by person: PersonID) throws -> [BatchPlace] {
        var found: [BatchPlace] = []
        try PreparedStatement(
            database,
            """
            SELECT batch FROM erasure
            WHERE space = ? AND person = ? AND device = ? AND number = ? AND hash = ?
            """
        ).rows({ $0.append(space, name, by: person) }) {
            found.append(BatchPlace(rowID: $0.integer(0)))
            return true
        }
        return found
    }

    /// Whether any erase is stored.
    func hasAny() throws -> Bool {
        try PreparedStatement(database, "SELECT 1 FROM erasure WHERE space = ? LIMIT 1")
            .first({ $0.append(space) }) { _ in true } ?? false
    }

    /// Visits all erases.
    func forEach(_ visit: (Erasure) throws -> Void) throws {
        try PreparedStatement(
            database, "SELECT person, device, number, hash, batch FROM erasure WHERE space = ?"
        ).rows({ $0.append(space) }) { columns in
            let log = LogName(device: try columns.identifier(1, as: DeviceID.self))
            let name = BatchName(
                log: log, number: UInt64(clamping: columns.integer(2)),
                hash: try columns.identifier(3, as: BatchHash.self))
            try visit(
                Erasure(
                    eraser: BatchPlace(rowID: columns.integer(4)),
                    author: try columns.identifier(0, as: PersonID.self), name: name))
            return true
        }
    }

    /// Stores all erases again, from the batches that contain them.
    /// - Returns: whether there is any.
    func fill(_ authors: (Int64) -> PlacedBatch.Author?) throws -> Bool {
        try database.execute(sql: "DELETE FROM erasure WHERE space = ?", arguments: [space])
        var hasAny = false
        _ = try ControlTable(database: database, space: space).forEach(authors) { batch in
            if try insert(batch.controlFacts, at: batch.place) { hasAny = true }
        }
        return hasAny
    }

    /// Stores the erases of a database that had no table for them.
    static func fill(_ database: Database) throws {
        var authors: [Int64: PlacedBatch.Author] = [:]
        for row in try GRDB.Row.fetchAll(
            database, sql: "SELECT number, device, branch, person FROM log")
        {
            let log = LogName(
                device: try row.identifier(1, as: DeviceID.self),
                branch: try row.identifier(2, as: BranchName.self))
            authors[row[0]] = PlacedBatch.Author(
                log: log, person: try row.identifier(3, as: PersonID.self))
        }
        for space in try Int64.fetchAll(database, sql: "SELECT number FROM space") {
            _ = try ErasureTable(database: database, space: space).fill { authors[$0] }
        }
    }
}

extension Bindings {
    /// Binds the batch that an erase names, without its branch.
    fileprivate mutating func append(_ space: Int64, _ name: BatchName, by person: PersonID) {
        append(space)
        append(person)
        append(name.log.device)
        append(Int64(clamping: name.number))
        append(name.hash)
    }
}

extension ControlFact {
    /// The batch that an erase names; nil for other operations.
    var erased: BatchName? {
        if case .erase(let name) = action { name } else { nil }
    }
}

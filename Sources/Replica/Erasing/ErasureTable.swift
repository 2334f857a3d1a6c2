internal import GRDB
internal import Records

/// The erases of one space that are stored and due, by the batches they name. Whether one counts
/// depends on cuts, and so it is asked when it matters.
///
/// They stand on the disk and not in memory: an erase may name a batch that is not here yet and
/// may never come, so nothing but the log itself, which holds each of them, bounds how many a
/// member writes.
struct ErasureTable {
    let database: Database
    /// The space's number in this database.
    let space: Int64

    /// One erase.
    struct Erasure {
        /// The batch it stands in.
        let eraser: BatchPlace
        /// Whose device wrote it.
        let author: PersonID
        /// The batch it names.
        let name: BatchName
    }

    /// Notes the erases among the control operations of a batch.
    /// - Returns: how many were not known.
    func note(_ facts: [ControlFact], at place: BatchPlace) throws -> Int {
        var count = 0
        for fact in facts {
            guard let name = fact.erased else { continue }
            try PreparedStatement(
                database, "INSERT OR IGNORE INTO erasure VALUES (?, ?, ?, ?, ?, ?)"
            ).run {
                $0.append(space, name, by: fact.author)
                $0.append(place.rowID)
            }
            count += database.changesCount
        }
        return count
    }

    /// Where the erases by a person's devices stand that name a batch. The branch that they say is
    /// passed over: a log that forked was divided.
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

    /// Visits all of them.
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

    /// Writes all of them anew, from the batches they stand in.
    /// - Returns: how many there are.
    func fill(_ authors: (Int64) -> PlacedBatch.Author?) throws -> Int {
        try database.execute(sql: "DELETE FROM erasure WHERE space = ?", arguments: [space])
        var count = 0
        _ = try ControlTable(database: database, space: space).forEach(authors) { batch in
            count += try note(batch.controlFacts, at: batch.place)
        }
        return count
    }

    /// Writes down the erases of a database that kept no table of them.
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
    /// The batch that an erase names, by all that it says of it but the branch.
    fileprivate mutating func append(_ space: Int64, _ name: BatchName, by person: PersonID) {
        append(space)
        append(person)
        append(name.log.device)
        append(Int64(clamping: name.number))
        append(name.hash)
    }
}

extension ControlFact {
    /// The batch that an erase names; nil for others.
    var erased: BatchName? {
        if case .erase(let name) = action { name } else { nil }
    }
}

internal import GRDB
public import Records

// Checks of the stored batches against their authors' signatures, and mending of damaged ones.
extension Replica {
    /// Returns the hash that AUDIT compares for a range of a log. It is computed from the stored
    /// bodies and places, not from the stored hashes, and delays no writes.
    /// - Parameter log: a log as ``heads(in:)`` names it.
    /// - Returns: nil if a batch of the range is missing.
    public nonisolated func auditHash(
        in space: SpaceID, log: LogName, from first: UInt64, through last: UInt64
    ) async throws -> Bytes32? {
        guard let state = states[space], let path = state.path(log), first <= last,
            first >= path.state.low, last <= path.state.high
        else { return nil }
        return try await readAside { database in
            try LogAudit(space: state, batches: BatchTable(database: database))
                .hash(of: first...last, in: path)
        }
    }

    /// The spaces with a known damaged batch. Such a batch is ignored until it is repaired.
    /// ``damagedBatches(in:)`` finds all of them.
    public func damagedSpaces() -> [SpaceID] {
        states.all.filter(\.damage.isOpen).map(\.id).sorted()
    }

    /// Finds the stored batches of a space that differ from what their authors signed, and those
    /// missing from the middle of a log. It reads and hashes the whole space and verifies every
    /// signature, about 60 µs each; it delays no writes.
    /// - Throws: ``BatchFault/unknownSpace``, ``ReplicaFault``.
    public func damagedBatches(in space: SpaceID) async throws -> [DamagedRange] {
        guard let state = states[space] else { throw BatchFault.unknownSpace }
        let found = try await readAside { try state.damaged($0) }
        // A log that was divided during the check looks damaged, so findings are checked again
        // without writes.
        guard found.isEmpty else { return try damagedNow(in: space) }
        recordSound(space, through: state.damage)
        return []
    }

    /// Does the same while nothing is written.
    func damagedNow(in space: SpaceID) throws -> [DamagedRange] {
        guard let state = states[space] else { throw BatchFault.unknownSpace }
        let found = try read { try state.damaged($0) }
        if found.isEmpty { recordSound(space, through: state.damage) }
        return found
    }

    /// Replaces damaged batches by fetched ones. Sound batches stay as they are, and batches of the
    /// run that are new here are left to be merged.
    ///
    /// Call ``rebuild(_:)`` after the last one: until then the tables show the damaged state.
    /// - Returns: the numbers of the replaced batches.
    /// - Throws: ``BatchFault`` if the run is not proven, does not continue the log that is here,
    ///   or contradicts an undamaged batch; ``ReplicaFault``. Then nothing was changed.
    @discardableResult
    public func mend(
        _ run: Run, in space: SpaceID, wallTime: Timestamp
    ) throws -> [UInt64] {
        guard let state = states[space] else { throw BatchFault.unknownSpace }
        let (replaced, done) = try write { database in
            let transaction = transaction(database, state, wallTime)
            return (try transaction.mend(run), transaction.result)
        }
        adopt([done])
        return replaced
    }
}

extension SpaceState {
    /// The stored batches that differ from what their authors signed.
    fileprivate func damaged(_ database: Database) throws -> [DamagedRange] {
        let audit = LogAudit(space: self, batches: BatchTable(database: database))
        return try logs.keys.sorted().flatMap { row in
            try audit.damaged(in: row).map { numbers in
                DamagedRange(log: path(containing: row)?.state.log ?? row, numbers: numbers)
            }
        }
    }
}

/// Consecutive damaged batches of one log.
public struct DamagedRange: Hashable, Sendable {
    /// The log, as the space names it.
    public let log: LogName
    /// The numbers of the first and last batch.
    public let numbers: ClosedRange<UInt64>

    /// Names damaged batches.
    public init(log: LogName, numbers: ClosedRange<UInt64>) {
        self.log = log
        self.numbers = numbers
    }
}

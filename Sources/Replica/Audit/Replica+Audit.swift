internal import GRDB
public import Records

// Whether what is stored is what its authors signed, and the mending of what is not.
extension Replica {
    /// The hash that AUDIT compares of a range of a log, computed from the stored bodies and
    /// places and not from the hashes stored with them. Nobody waits for it who writes.
    /// - Parameter log: a log as ``heads(in:)`` names it.
    /// - Returns: nil where a batch of the range is not here.
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

    /// The spaces in which a batch was met that the disk damaged; it counts for nothing until it is
    /// mended. ``damagedBatches(in:)`` finds all of them.
    public func damagedSpaces() -> [SpaceID] {
        states.all.filter(\.hasDamage).map(\.id).sorted()
    }

    /// The stored batches of a space that are not what their authors signed, and those that are
    /// gone from the middle of a log. It reads and hashes the whole space and verifies every
    /// signature, about 60 µs each; nobody waits for it who writes.
    /// - Throws: ``BatchFault/unknownSpace``, ``ReplicaFault``.
    public func damagedBatches(in space: SpaceID) async throws -> [DamagedRange] {
        guard let state = states[space] else { throw BatchFault.unknownSpace }
        let found = try await readAside { try state.damaged($0) }
        // A log that was divided meanwhile looks damaged: only what is seen while nothing is
        // written counts.
        guard found.isEmpty else { return try damagedNow(in: space) }
        noteWhole(space)
        return []
    }

    /// The same, while nothing is written.
    func damagedNow(in space: SpaceID) throws -> [DamagedRange] {
        guard let state = states[space] else { throw BatchFault.unknownSpace }
        let found = try read { try state.damaged($0) }
        if found.isEmpty { noteWhole(space) }
        return found
    }

    /// Puts batches that were fetched in the place of damaged ones; sound batches stay as they are,
    /// and what of the run is new here is left to be merged.
    ///
    /// Call ``rebuild(_:)`` when the last is mended: until then the tables show what was damaged.
    /// - Returns: the numbers of the batches that were replaced.
    /// - Throws: ``BatchFault`` where the run is not proven, leaves the log that is here, or
    ///   contradicts a batch that is sound; ``ReplicaFault``. Nothing was changed then.
    @discardableResult
    public func mend(
        _ run: Run, in space: SpaceID, wallMilliseconds: Int64
    ) throws -> [UInt64] {
        guard let state = states[space] else { throw BatchFault.unknownSpace }
        let (replaced, done) = try write { database in
            let transaction = transaction(database, state, wallMilliseconds)
            return (try transaction.mend(run), transaction.result)
        }
        settle([done])
        return replaced
    }
}

extension SpaceState {
    /// The stored batches that are not what their authors signed.
    fileprivate func damaged(_ database: Database) throws -> [DamagedRange] {
        let audit = LogAudit(space: self, batches: BatchTable(database: database))
        return try logs.keys.sorted().flatMap { row in
            try audit.damaged(in: row).map { numbers in
                DamagedRange(log: path(containing: row)?.state.log ?? row, numbers: numbers)
            }
        }
    }
}

/// Consecutive batches of one log that are damaged.
public struct DamagedRange: Hashable, Sendable {
    /// The log, as the space names it.
    public let log: LogName
    /// The first to the last of the batches.
    public let numbers: ClosedRange<UInt64>

    /// Names damaged batches.
    public init(log: LogName, numbers: ClosedRange<UInt64>) {
        self.log = log
        self.numbers = numbers
    }
}

internal import GRDB
public import Records

// Whether what is stored is what its authors signed, and the mending of what is not.
extension Replica {
    /// The hash that AUDIT compares of a range of a log, computed from the stored bodies and
    /// places and not from the hashes stored with them.
    /// - Parameter log: a log as ``heads(in:)`` names it.
    /// - Returns: nil where a batch of the range is not here.
    public func auditHash(
        in space: SpaceID, log: LogName, from first: UInt64, through last: UInt64
    ) throws -> Bytes32? {
        guard let state = states[space], let path = state.path(log), first <= last,
            first >= path.state.low, last <= path.state.high
        else { return nil }
        return try read { database in
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
    /// signature, about 60 µs each.
    /// - Throws: ``BatchFault/unknownSpace``, ``ReplicaFault``.
    public func damagedBatches(in space: SpaceID) throws -> [DamagedRange] {
        guard let state = states[space] else { throw BatchFault.unknownSpace }
        let found = try read { database in
            let audit = LogAudit(space: state, batches: BatchTable(database: database))
            return try state.logs.keys.sorted().flatMap { row in
                try audit.damaged(in: row).map { numbers in
                    DamagedRange(
                        log: state.path(containing: row)?.state.log ?? row, numbers: numbers)
                }
            }
        }
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

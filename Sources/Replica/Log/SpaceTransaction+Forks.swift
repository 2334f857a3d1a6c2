internal import Records

// Second batches of one number: predicts what they do to the rows of their log, and stores them.
extension SpaceTransaction {
    /// Whether a batch after a junction is a second batch with its number.
    func isFork(_ junction: Junction) -> Bool {
        guard let entry = state.space.logs[junction.row] else { return false }
        return junction.number < entry.high || !state.space.sides(of: junction.row).isEmpty
    }

    /// The effects of a second batch of one number on the rows of its log.
    struct Fork {
        /// The maximum number of batches that move to other rows.
        var movedCount = 0
        /// Whether rows may be divided or dropped, so that the space must be merged again.
        var mustRebuild = false
    }

    /// Predicts a fork before any row is divided for it, and refuses a side that would not be kept.
    /// A side with a batch that a cut names may leave other sides without a batch that counts, so
    /// it is stored first.
    func fork(
        of new: some Collection<CheckedBatch>, after junction: Junction
    ) throws -> Fork {
        guard let first = new.first, let entry = state.space.logs[junction.row] else {
            return Fork()
        }
        let (device, number) = (junction.row.device, first.header.number)
        let side = LogName(device: device, branch: BranchName(raw: first.hash.raw))
        var tree = ForkTree(root: state.space.root(of: junction.row), in: state.space)
        let place = BatchPlace(log: entry.number, number: junction.number)
        if junction.number < entry.high {
            guard let end = try hash(number, in: entry) else {
                throw BatchFault.gap(expected: number, found: number + 1)
            }
            let next = BatchPlace(log: entry.number, number: number)
            tree.divide(
                junction.row, endingAs: LogName(device: device, branch: BranchName(raw: end.raw)),
                low: number, counts: entry.counted >= number,
                isInRun: try batches.areInRun(place, next))
        }
        tree.add(
            side, after: junction.row, low: number, isInRun: try isInRun(first, after: place))
        let surplus = tree.surplus()
        let isNamed = new.contains { state.space.namedHashes.contains($0.hash) }
        guard isNamed || state.space.logs[side] == nil && !surplus.contains(side) else {
            throw BatchFault.forked(author: device, number: number)
        }
        // Dropped sides let others be joined again.
        guard surplus.isEmpty, !new.contains(where: mayCountOnceHere) else {
            return Fork(movedCount: storedCount(ofLogWith: junction.row), mustRebuild: true)
        }
        let moved = Int(clamping: entry.high - min(entry.high, junction.number))
        return Fork(movedCount: moved, mustRebuild: moved > 0)
    }

    /// Returns the number of stored batches of a log, with all its sides.
    private func storedCount(ofLogWith row: LogName) -> Int {
        let root = state.space.root(of: row)
        return state.space.rows(of: row.device).reduce(0) { count, other in
            guard let entry = state.space.logs[other], state.space.root(of: other) == root
            else { return count }
            return count + Int(clamping: entry.high + 1 - entry.low)
        }
    }

    /// Whether one run can carry a stored batch and one that follows it.
    private func isInRun(_ first: CheckedBatch, after place: BatchPlace) throws -> Bool {
        guard let stored = try batches.batch(at: place),
            let row = state.space.namesByNumber[place.log]
        else { return false }
        let branch = stored.branch ?? state.space.root(of: row).branch
        return stored.epoch == first.header.epoch && branch == first.header.log.branch
    }

    /// Drops the sides of all forked logs that are not kept.
    func dropSurplusSides() throws {
        let division = LogDivision(database: database)
        for root in state.space.logs.filter({ $0.value.origin == nil }).map(\.key) {
            let dropped = try division.prune(logOf: root, in: &state.space)
            if !dropped.isEmpty { state.mustRebuild = true }
        }
    }

    /// Stores a second batch of one number: both sides become rows of their own.
    func fork(
        _ new: [CheckedBatch], _ signature: Signature, _ person: PersonID, after junction: Junction
    ) throws {
        guard let first = new.first else { return }
        let division = LogDivision(database: database)
        if let entry = state.space.logs[junction.row], junction.number < entry.high {
            try division.divide(junction.row, after: junction.number, in: &state.space, own: device)
            state.mustRebuild = true
        }
        let side = LogName(
            device: first.header.log.device, branch: BranchName(raw: first.hash.raw))
        guard state.space.logs[side] == nil else {
            throw BatchFault.forked(author: side.device, number: first.header.number)
        }
        try createRow(side, person, after: junction.row, low: first.header.number)
        if let origin = state.space.logs[junction.row]?.number {
            let place = BatchPlace(log: origin, number: junction.number)
            let isSideInRun = try isInRun(first, after: place)
            state.space.change(side) { $0.isInRun = isSideInRun }
        }
        state.membershipIsStale = true
        try refreshMembership()
        try store(new, in: side, signature: signature)
        try requireCounting(side, from: first.header.number)
        let dropped = try division.prune(logOf: junction.row, in: &state.space)
        guard !dropped.contains(side) else {
            throw BatchFault.forked(author: side.device, number: first.header.number)
        }
        if !dropped.isEmpty {
            state.mustRebuild = true
            state.membershipIsStale = true
        }
    }
}

internal import GRDB
internal import Records

// Merges a whole space again, from its log.
extension SpaceTransaction {
    /// Reads the space's state from the disk again, after the stored batches changed.
    func reload() throws {
        try storeRowCounts()
        try LogBytes(database: database).count(in: state.space.number)
        let before = state.space
        state.space = try StateLoader(database: database).space(
            before.number, before.descriptor, before.standing)
        state.space.keepPace(of: before)
        state.space.keepOffers(of: before)
        state.space.hasErasures = try erasures.fill(state.space.author)
    }

    /// Reads the space's state again and merges its whole log again.
    func rebuild() throws {
        try reload()
        try control.store(state.space.membership.members)
        _ = try control.storeAuthors(state.space)
        try applyAllErasures()
        _ = try remergeAll()
        try closeErasedContent()
        try settleOpenContent()
        try storeRowCounts()
        state.space.refreshDigest()
    }

    /// Clears the space's tables and merges its whole log.
    /// - Returns: a commit for each batch.
    func remergeAll() throws -> [Commit] {
        for table in ["register", "element", "removed", "waiting", "void", "mention"]
            + catalog.all.flatMap(\.rowNames)
        {
            try PreparedStatement(database, "DELETE FROM \"\(table)\" WHERE space = ?")
                .run { $0.append(state.space.number) }
        }
        state.space.clearCounts { ($0.void, $0.waiting) = (0, 0) }
        return try state.space.namesByNumber.keys.sorted().flatMap(replay)
    }

    private func replay(log: Int64) throws -> [Commit] {
        guard let author = state.space.author(log), let entry = state.space.logs[author.log] else {
            return []
        }
        var commits: [Commit] = []
        var portion = MergePortion()
        try batches.walk(log: log, after: entry.low - 1) { stored in
            guard stored.place.number <= entry.counted else { return false }
            state.work.batchesCount += 1
            guard try state.space.heldCount == 0 || !held.contains(stored.place) else {
                return true
            }
            guard let body = readableContent(of: stored)?.body else { return true }
            state.work.operationsCount += body.operations.count
            portion.append(
                PlacedBatch(
                    place: stored.place, author: author, stamp: stored.stamp, hash: stored.hash,
                    body: body))
            if portion.isFull { commits += try merge(portion.removeAll()) }
            return true
        }
        return commits + (try merge(portion.removeAll()))
    }
}

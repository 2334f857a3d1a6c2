internal import GRDB
internal import Records

// Attributes the logs of devices that several people claim.
extension SpaceTransaction {
    /// Attributes the logs of devices again, after it became known that other people claim them.
    /// If this may require merging the space again, it is postponed while earlier merges are not
    /// paid for, or if the merge is more than a step may do.
    /// - Parameter mayRebuild: counts a rebuild, or returns false.
    /// - Returns: the same as ``finish()``.
    func attribute(
        to standing: RivalClaims.Standing, mayRebuild: () -> Bool
    ) throws -> [Commit] {
        guard state.space.mayAttribute(to: standing, wallTime: wallTime), mayRebuild() else {
            state.space.isAttributionPostponed = true
            state.space.removedNow = standing.removed
            return []
        }
        state.space.adopt(standing)
        state.space.isAttributionPostponed = false
        state.isOwedBySpace = true
        state.membershipIsStale = true
        return try finish()
    }

    /// The merged logs of such devices that count for another person now, or up to another batch.
    var logsAttributedAnew: Set<LogName> {
        guard !state.space.claimants.isEmpty || !merged.claimants.isEmpty else { return [] }
        return Set(
            merged.logs.keys.filter { log in
                guard let before = merged.logs[log], let now = state.space.logs[log],
                    isShared(log.device)
                else { return false }
                return before.person != now.person || before.counted != now.counted
            })
    }

    private func isShared(_ device: DeviceID) -> Bool {
        state.space.claimants[device] != nil || merged.claimants[device] != nil
    }

    /// Returns a commit for each batch of logs that were attributed again, whether it counts now
    /// or counted before. It names every record that the batch writes, since any of them may look
    /// different or be gone.
    func commitsAttributedAnew(in logs: Set<LogName>) throws -> [Commit] {
        try logs.sorted().flatMap { log -> [Commit] in
            guard let before = merged.logs[log], let now = state.space.logs[log] else { return [] }
            let author = PlacedBatch.Author(log: log, person: now.person)
            let last = max(before.counted, now.counted)
            var commits: [Commit] = []
            try batches.walk(log: now.number, after: now.low - 1) { stored in
                guard stored.place.number <= last else { return false }
                let changes = changes(by: stored.readableContent?.body, author)
                commits.append(
                    Commit(
                        space: state.space.id, log: log, hash: stored.hash,
                        number: stored.place.number, stamp: stored.stamp, changes: changes,
                        membershipChanged: true, created: []))
                return true
            }
            return commits
        }
    }

    private func changes(
        by body: BatchBody?, _ author: PlacedBatch.Author
    ) -> [RecordChange] {
        guard let body else { return [] }
        var changes = CommitChanges(space: state.space.descriptor, device: device, batches: 1)
        for operation in body.operations {
            guard let table = catalog[operation.collection] else { continue }
            changes.record(operation, table, author, for: 0)
        }
        return changes.changes(at: 0)
    }
}

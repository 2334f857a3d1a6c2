internal import Records

// Replaces batches damaged on this disk by copies from another replica.
extension SpaceTransaction {
    /// Replaces the damaged batches of a run that are stored here; batches of the run after the end
    /// of the log are left to be merged.
    /// - Returns: the numbers of the replaced batches.
    func mend(_ run: Run) throws -> [UInt64] {
        let audit = LogAudit(space: state.space, batches: batches)
        let (row, checked) = try check(run, audit)
        let end = state.space.logs[row]?.high ?? 0
        let damaged = try checked.batches.filter {
            try $0.header.number <= end && isDamaged($0, in: row, audit)
        }
        for batch in damaged {
            let isLast = batch.header.number == run.lastNumber
            try replace(batch, in: row, signature: isLast ? checked.signature : nil)
        }
        if !damaged.isEmpty { try reload() }
        return damaged.map(\.header.number)
    }

    /// Finds the row that holds the run's first number and the batch that the run continues.
    private func check(_ run: Run, _ audit: LogAudit) throws -> (LogName, CheckedRun) {
        var fault = BatchFault.gap(expected: run.firstNumber, found: run.lastNumber)
        for row in state.space.rows(of: run.log.device) {
            guard let entry = state.space.logs[row], entry.low <= run.firstNumber,
                run.firstNumber <= entry.high,
                let previous = try audit.storedHash(before: run.firstNumber, in: row)
            else { continue }
            do throws(BatchFault) {
                return (row, try run.check(in: state.space.id, after: previous))
            } catch {
                fault = error
            }
        }
        throw fault
    }

    /// Whether the stored batch is damaged.
    /// - Throws: ``BatchFault/forked(author:number:)`` if it is sound and is another batch.
    private func isDamaged(
        _ batch: CheckedBatch, in row: LogName, _ audit: LogAudit
    ) throws -> Bool {
        let place = BatchPlace(log: state.space.logs[row]?.number ?? 0, number: batch.header.number)
        guard let stored = try batches.batch(at: place),
            audit.isSound(stored, in: row, after: batch.header.previous)
        else { return true }
        guard stored.hash == batch.hash else {
            throw BatchFault.forked(author: row.device, number: batch.header.number)
        }
        return false
    }

    private func replace(
        _ batch: CheckedBatch, in row: LogName, signature: Signature?
    ) throws {
        guard let entry = state.space.logs[row] else { return }
        let place = BatchPlace(log: entry.number, number: batch.header.number)
        let admitted = try admitted(batch, at: place, by: entry.person)
        let stored = try batches.batch(at: place)
        // The batch may be the last one of the log here and have its own signature.
        let isSigned = stored?.isSigned(as: batch.hash, by: row.device) ?? false
        let kept = isSigned ? stored?.signature : nil
        try batches.delete(place.rowID...place.rowID)
        try batches.insertion(root: state.space.root(of: row), arrived: wallTime)
            .insert(admitted, at: place, signature: signature ?? kept)
        if admitted.body?.hasControl ?? false { try control.insert(place) }
    }
}

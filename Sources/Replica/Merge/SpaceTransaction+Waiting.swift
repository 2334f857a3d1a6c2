internal import Records

// The limit of operations that wait for their entities.
extension SpaceTransaction {
    /// Refuses a run with operations on entities that are not known yet, if
    /// ``Limits/waitingOperationsMax`` of its author wait already. So a batch that begins an entity
    /// never leads to much more work than its own.
    ///
    /// A run is judged as a whole, as in ``requireRoomAhead(for:by:)``. Held batches wait for
    /// nothing else before they are due, so each of them has a limit of its own:
    /// ``Limits/heldWaitingOperationsMax``.
    ///
    /// An author writes an entity only after they received its beginning. So all operations of the
    /// batch that was written first among those that are missing here find their entities, and its
    /// log goes on, then the others. An honest author stays out only if 16 384 of their operations
    /// are on entities whose beginning was erased or cannot come; their own erases make room.
    ///
    /// Example: Ben has answered 20 000 records that Ann wrote, and a new replica receives Ben's
    /// log first. It stores Ben's batches up to the limit, then all of Ann's, and the rest of Ben's
    /// when his device sends them again.
    func requireRoomToWait(
        for new: some Collection<CheckedBatch>, of person: PersonID, in row: LogName
    ) throws {
        let author = PlacedBatch.Author(log: row, person: person)
        let judge = OperationJudge(state.space, catalog)
        let isFull = try isFullOfWaiting(person, judge)
        let isAnyHeld = new.contains { HybridClock.isHeld($0.header.stamp, wallTime: wallTime) }
        guard isFull || isAnyHeld else { return }
        var begun: Set<EntityCache.Key> = []
        for batch in new {
            guard let body = batch.body else { continue }
            begun.formUnion(WaitingForecast.begun(in: body, by: author, judge))
            let isHeld = HybridClock.isHeld(batch.header.stamp, wallTime: wallTime)
            let most = isHeld ? Limits.heldWaitingOperationsMax : isFull ? 0 : .max
            guard body.operations.count > most else { continue }
            let count = try forecast.count(in: body, by: author, judge, begun: begun)
            guard count <= most else {
                throw isHeld
                    ? BatchFault.tooFarAhead(row.device) : BatchFault.tooManyWaiting(row.device)
            }
        }
    }

    /// Whether the operations of a person that wait, and those of batches that are about to be
    /// merged, have reached the limit.
    private func isFullOfWaiting(_ person: PersonID, _ judge: OperationJudge) throws -> Bool {
        let waiting = state.space.rowsByPerson[person]?.waiting ?? 0
        // In nearly all transactions, the number of operations shows that the limit is far away.
        guard waiting + state.operationsCount >= Limits.waitingOperationsMax else { return false }
        let coming = try forecast.count(in: state.applicable, of: person, judge)
        return waiting + coming >= Limits.waitingOperationsMax
    }

    /// Whether the body of a stored batch that lacks it may be stored now.
    func mayWait(_ batch: CheckedBatch, by author: PlacedBatch.Author) throws -> Bool {
        do {
            try requireRoomToWait(for: [batch], of: author.person, in: author.log)
            return true
        } catch is BatchFault {
            return false
        }
    }
}

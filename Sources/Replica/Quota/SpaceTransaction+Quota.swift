internal import Records

// The bytes of stored batches, and the room for new ones.
extension SpaceTransaction {
    // MARK: Room for batches that arrive

    /// Refuses a run without checking it if its author has no room, as an earlier run showed. A run
    /// that repeats batches, or erases something, is checked.
    func refuseUnread(
        _ run: Run, of person: PersonID, in room: StorageRoom
    ) throws(BatchFault) {
        let rows = state.space.rows(of: run.log.device)
        guard rows.allSatisfy({ state.space.logs[$0]?.high ?? 0 < run.firstNumber }) else { return }
        var bytes = 0
        for batch in run.batches {
            guard let body = batch.content.body, !body.hasControl, !hasReservedRoom(body)
            else { return }
            bytes += batch.content.storedBytes
        }
        let used = room.used(by: person, in: state.space)
        guard !room.isKnownFull(for: bytes, of: share(of: person), used: used) else {
            throw .noRoom(run.log.device)
        }
    }

    /// Refuses new batches for which there is no room.
    func requireRoom(
        for new: some Collection<CheckedBatch>, of person: PersonID, by device: DeviceID,
        in room: inout StorageRoom
    ) throws {
        var need = StorageRoom.Need()
        var freed: Set<BatchPlace> = []
        for batch in new {
            let bytes = batch.content.storedBytes
            need.bytes += bytes
            // Erased batches come before their erase, so they may not be refused for lack of room.
            guard let body = batch.body else {
                need.reservedBytes += bytes
                continue
            }
            if hasReservedRoom(body) { need.reservedBytes += bytes }
            // An erase that is dated ahead frees nothing before it is due.
            let isHeld = HybridClock.isHeld(batch.header.stamp, wallTime: wallTime)
            guard body.hasControl, !isHeld else { continue }
            need.freedBytes += try freedBytes(by: body, of: person, besides: &freed)
        }
        let used = room.used(by: person, in: state.space)
        guard room.admit(need, of: share(of: person), used: used) else {
            throw BatchFault.noRoom(device)
        }
    }

    /// Whether there is room for the body of a batch that is here without one.
    func mayGrow(by bytes: Int, of person: PersonID, in room: inout StorageRoom) -> Bool {
        let need = StorageRoom.Need(bytes: bytes)
        return room.admit(need, of: share(of: person), used: room.used(by: person, in: state.space))
    }

    private func share(of person: PersonID) -> SpaceShare {
        SpaceShare(space: state.space.id, person: person)
    }

    /// Whether a batch only ends or erases something, or changes a membership.
    private func hasReservedRoom(_ body: BatchBody) -> Bool {
        body.operations.allSatisfy { operation in
            operation.collection == .control
                || catalog[operation.collection]?.collection.hasReservedRoom ?? false
        }
    }

    /// Returns the bytes of the stored bodies that a batch erases. A body that another erase of
    /// this transaction removes at its end frees nothing more.
    /// - Parameter known: the places that earlier batches of the run erase; gets those of this one.
    private func freedBytes(
        by body: BatchBody, of person: PersonID, besides known: inout Set<BatchPlace>
    ) throws -> Int {
        var bytes = 0
        for case .erase(let name) in body.operations.lazy.map(\.action) {
            for place in try self.places(of: name) where known.insert(place).inserted {
                guard state.space.author(place.log)?.person == person,
                    let content = try batches.batch(at: place)?.readableContent,
                    content.body != nil, content.mayBeErased,
                    try !isErased(content, named: name, by: person)
                else { continue }
                bytes += content.storedBytes - BatchContent.erased(content.bodyHash).storedBytes
            }
        }
        return bytes
    }

    // MARK: Counting

    /// Replaces the content of a stored batch, and counts the difference.
    func replaceContent(
        at place: BatchPlace, by content: BatchContent, insteadOf before: BatchContent
    ) throws {
        try batches.replaceContent(at: place, by: content)
        guard let row = state.space.namesByNumber[place.log] else { return }
        let begunGrowth =
            isOpen ? (content.body?.begunCount ?? 0) - (before.body?.begunCount ?? 0) : 0
        state.space.change(row) { entry in
            entry.bytes += content.storedBytes - before.storedBytes
            entry.begunCount += begunGrowth
            if place.number <= entry.summed { entry.summed = 0 }
            guard content.body != nil else { return }
            entry.emptiedThrough = min(entry.emptiedThrough, place.number - 1)
        }
    }

    /// Stores the bytes of logs whose count in the file is out of date or lacks many batches.
    func storeBytes() throws {
        for row in state.space.rowsToStore {
            guard let entry = state.space.logs[row],
                entry.bytes != merged.logs[row]?.bytes ?? 0,
                entry.summed == 0 || entry.high >= entry.summed + LogBytes.unsummedMax
            else { continue }
            try LogBytes(database: database).store(entry)
            state.space.change(row) { $0.summed = $0.high }
        }
    }

    // MARK: Void bodies

    /// Drops bodies of void batches, to make room. The headers stay, since other batches may
    /// follow them and a cut may name them. If a later change of the membership makes such a batch
    /// count, its body is missing and peers are asked for it. Control operations stay: they decide
    /// whether the batch is void.
    ///
    /// Example: Bob wrote batches 1 to 9, and the owner's cut of Bob names his batch 6. The bodies
    /// of 7 to 9 are dropped when there is no room for a batch of somebody else. If the owner is
    /// then cut by a senior owner who excludes that cut, 7 to 9 count and their bodies are missing.
    /// - Parameters:
    ///   - person: the author of the batches; nil for everybody.
    ///   - countMax: the maximum number of batches to examine.
    func dropVoidBodies(of person: PersonID?, countMax: Int) throws {
        var count = 0
        for row in state.space.logs.keys.sorted() {
            guard let entry = state.space.logs[row], person.map({ $0 == entry.person }) ?? true
            else { continue }
            let first = max(entry.counted, entry.emptiedThrough)
            guard first < entry.high, count < countMax else { continue }
            var last = first
            var dropped: [(BatchPlace, BatchContent)] = []
            try batches.walk(log: entry.number, after: first) { stored in
                last = stored.place.number
                count += 1
                if let content = readableContent(of: stored), let body = content.body,
                    !body.hasControl, try !isHeld(stored.place)
                {
                    dropped.append((stored.place, content))
                }
                return count < countMax
            }
            for (place, content) in dropped {
                try replaceContent(
                    at: place, by: .erased(content.bodyHash), insteadOf: content)
            }
            state.space.change(row) { $0.emptiedThrough = last }
        }
        try storeBytes()
    }
}

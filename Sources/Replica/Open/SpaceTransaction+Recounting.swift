internal import Records

// Which batches of an open space count, after a person ended logs. Only what that person wrote is
// merged again: strangers decide how often that happens.
extension SpaceTransaction {
    var isOpen: Bool { state.space.isOpen }

    /// Judges the cuts of the people concerned again, and merges the difference.
    func refreshOpenMembership() throws {
        guard state.membershipIsStale || !state.stalePeople.isEmpty else { return }
        let concerned = state.membershipIsStale ? nil : state.stalePeople
        let rows =
            concerned.map { $0.flatMap { state.space.totals.authors[$0]?.rows ?? [] } }
            ?? Array(state.space.logs.keys)
        let before = rows.sorted().compactMap { row in
            state.space.logs[row].map { (key: row, value: $0) }
        }
        if let concerned {
            let rows = Dictionary(grouping: before) { $0.value.person }
            for person in concerned.sorted() {
                try state.space.judge(person, rows: (rows[person] ?? []).map(\.key), batches)
            }
        } else {
            try state.space.refreshMembership(batches)
            if try control.storeAuthors(state.space) {
                state.space.hasErasures = try erasures.fill(state.space.author)
            }
        }
        (state.membershipIsStale, state.stalePeople) = (false, [])
        for (row, old) in before {
            guard let new = state.space.logs[row] else { continue }
            try recount(row, old, new)
        }
    }

    private func recount(
        _ row: LogName, _ old: SpaceState.LogEntry, _ new: SpaceState.LogEntry
    ) throws {
        guard old.counted != new.counted || old.person != new.person else { return }
        let isOther = old.person != new.person
        let same = isOther ? new.low - 1 : min(old.counted, new.counted)
        if old.counted > same { try unmerge(row, same + 1...old.counted, by: old.person) }
        guard new.counted > same else { return }
        let waiting = Set(state.applicable.lazy.map(\.place))
        try batches.walk(log: new.number, after: same) { stored in
            guard stored.place.number <= new.counted else { return false }
            guard !waiting.contains(stored.place), let body = readableContent(of: stored)?.body
            else { return true }
            state.applicable.append(
                PlacedBatch(
                    place: stored.place,
                    author: PlacedBatch.Author(log: row, person: new.person),
                    stamp: stored.stamp, hash: stored.hash, body: body))
            return true
        }
    }

    /// Removes the effects of stored batches from the tables, so that their records are merged
    /// again without them.
    func unmerge(
        _ row: LogName, _ numbers: ClosedRange<UInt64>, by person: PersonID
    ) throws {
        guard let entry = state.space.logs[row] else { return }
        let author = PlacedBatch.Author(log: row, person: person)
        try batches.walk(log: entry.number, after: numbers.lowerBound - 1) { stored in
            guard stored.place.number <= numbers.upperBound else { return false }
            if let body = readableContent(of: stored)?.body {
                try unmerge(body, at: stored.place, by: author)
            }
            return true
        }
    }

    /// Removes the effects of one batch.
    func unmerge(
        _ body: BatchBody, at place: BatchPlace, by author: PlacedBatch.Author
    ) throws {
        try deleteVerdicts(of: place, body)
        let mentions = MentionTable(database: database, space: state.space.number, catalog: catalog)
        for key in Set(body.operations.lazy.filter(\.action.isCreate).map(\.key)) {
            guard let table = catalog[key.collection] else { continue }
            try mentions.remove(key, at: place)
            state.erasing.touched[key] = state.erasing.touched[key] ?? author.person
            state.removed.record(key.entity, table, author)
        }
    }
}

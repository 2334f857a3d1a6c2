internal import Identity
internal import Records
internal import Replica
internal import Sync

// The costs that a hoarding liar may cause, and the state that it may not change.
extension World {
    /// Checks the limits of what a node stores of a liar, and that the liar's log is read on when
    /// there is room.
    func checkHoards(_ node: Int) async throws {
        guard !mix.hoards.isEmpty, let replica = nodes[node].replica,
            let liar = nodes.firstIndex(where: \.isLiar)
        else { return }
        try await checkWaiting(at: replica, node)
        let used = try await replica.storedBytes(of: nodes[liar].device)
        if isRoomShort, let limit = mix.authorBytesMax {
            try await checkRoom(used, limit, at: replica, node)
        }
        try await checkUnclaimed(by: node, liar)
        for (_, space) in hoarded.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            try await checkReadOn(space, at: node, liar)
        }
    }

    /// Checks that few operations wait, and none of them for a record that is here.
    private func checkWaiting(at replica: Replica, _ node: Int) async throws {
        let rows = try await replica.read(
            """
            SELECT count(*) AS count FROM waiting w JOIN log l ON l.number = w.batch >> 40
            GROUP BY w.space, l.person ORDER BY 1 DESC LIMIT 1
            """, allowedTables: nil)
        let most = Int(rows.first?.integer("count") ?? 0)
        tally.count("waiting operations seen", most)
        // A run with room for its first operation is stored as a whole.
        let limit = Limits.waitingOperationsMax + 3 * (World.waitingPerBatchMax + 1)
        // Merged operations wait again if their record is erased.
        guard most <= limit || mix.eraseCount > 0 else {
            throw Violation(.bounded, "node \(node) lets \(most) operations wait")
        }
        let late = try await replica.read(
            """
            SELECT count(*) AS count FROM waiting w JOIN \(RecordCollection.simulatedNote.table) t
            ON t.space = w.space AND t.entity = w.entity WHERE w.collection = ?
            """, [.integer(Int64(RecordCollection.simulatedNote.id.rawValue))], allowedTables: nil)
        guard late.first?.integer("count") ?? 0 == 0 else {
            throw Violation(.merged, "node \(node) lets operations wait for a record that is here")
        }
    }

    /// Checks that a node stores no more of the liar than its room, in the first round: later there
    /// may be more from before. Only what erases, ends or was erased may use the reserve, which
    /// thousands of erased batches do.
    private func checkRoom(
        _ used: [SpaceID: StoredBytes], _ limit: Int, at replica: Replica, _ node: Int
    ) async throws {
        let full = await replica.storage().full
        tally.count("full rooms seen", full.count)
        for one in full where one.share.person != society.liar {
            throw Violation(
                .complete,
                "node \(node) has no room for \(one.share.person.suffix), who wrote little")
        }
        guard mix.roundCount == 1 else { return }
        for (space, bytes) in used.sorted(by: { $0.key < $1.key })
        where bytes.ordinary > limit || bytes.all > limit + Limits.reservedBytesMax {
            throw Violation(
                .bounded,
                "node \(node) stores \(bytes.ordinary) ordinary bytes and \(bytes.all) in all of "
                    + "the liar in \(space.suffix)")
        }
    }

    /// Checks that a node acknowledged no batch of the liar that it did not store.
    private func checkUnclaimed(by node: Int, _ liar: Int) async throws {
        guard let replica = nodes[node].replica, !nodes[node].wasRestored,
            !nodes[liar].wasRestored, mix.quality != .broken
        else { return }
        for row in try await nodes[liar].replica?.acknowledgements() ?? [] {
            guard row.bytes("device") == nodes[node].device.bytes, let space = row.space("id"),
                hoarded.values.contains(space), let number = row.integer("number")
            else { continue }
            tally.count("acknowledgements to a hoarder")
            let high = await replica.high(of: nodes[liar].device, in: space)
            guard UInt64(clamping: number) > high else { continue }
            throw Violation(
                .truthful,
                "node \(node) acknowledged \(number) of the liar in \(space.suffix) and holds "
                    + "\(high)")
        }
    }

    /// Checks that a node holds all of the liar's log for which there is room: while the setting is
    /// low what the liar did not erase, and afterwards everything.
    private func checkReadOn(_ space: SpaceID, at node: Int, _ liar: Int) async throws {
        guard let replica = nodes[node].replica, let other = nodes[liar].replica,
            !mix.mayDifferUntilDue, !nodes[liar].wasRestored,
            let link = nodes[node].links[liar].flatMap({ links[$0] }), link.cutAt == nil,
            link.ends[link.end(of: node)].session.commonSpaces.contains(space),
            link.ends[link.end(of: liar)].session.commonSpaces.contains(space)
        else { return }
        if isRoomShort {
            // Batches that floods left at other nodes take room unknown to the liar's replica, and
            // so do operations that wait in the same space. An erase that is dated over 24 h ahead
            // makes room only when it is due.
            guard let limit = mix.authorBytesMax, hoarded[.waiting] != space,
                mix.floods.isEmpty, try await !holdsBack(liar, in: space, at: replica),
                try await other.storedBytes(of: other.device)[space]?.all ?? 0 <= limit * 3 / 4
            else { return }
        }
        let summary = await replica.spaces().first { $0.id == space }
        guard summary?.forkedDevices.isEmpty ?? true else { return }
        let written = await other.high(of: other.device, in: space)
        let held = await replica.high(of: other.device, in: space)
        if isRoomShort, held < written, try await hasUnerasable(after: held, liar, in: space) {
            return
        }
        if held > 0 { countReadOn() }
        guard held < written else { return }
        throw Violation(
            .complete,
            "node \(node) holds \(held) of \(written) batches of the liar in \(space.suffix), "
                + "for which there is room")
    }
}

extension World {
    /// Counts a log that was compared, and once the run if that was after an erase: one run
    /// compares a log at several nodes, so only runs are independent of each other.
    private func countReadOn() {
        guard isRoomShort else { return tally.count("logs read on") }
        tally.count("logs read on after an erase")
        if tally["logs read on after an erase"] == 1 {
            tally.count("seeds with a log read on after an erase")
        }
    }

    /// Whether the liar wrote something before its last erase that it could not erase, because it
    /// has no salt. Honest devices salt what others store. It has no reserved room, unlike erased
    /// batches, so the erase may wait behind it.
    private func hasUnerasable(
        after number: UInt64, _ liar: Int, in space: SpaceID
    ) async throws -> Bool {
        guard let replica = nodes[liar].replica else { return false }
        let rest = try await batches(in: space, of: replica).filter {
            $0.log.device == nodes[liar].device && $0.number > number
        }
        func isControl(_ batch: ReferenceModel.Batch) -> Bool {
            batch.operations.contains { $0.collection == .control }
        }
        guard let last = rest.filter(isControl).map(\.number).max() else { return false }
        return rest.contains { $0.number < last && !$0.operations.isEmpty && !isControl($0) }
    }

    /// Whether a replica holds back batches of the liar in a space, since they are dated ahead.
    private func holdsBack(
        _ liar: Int, in space: SpaceID, at replica: Replica
    ) async throws -> Bool {
        let held = Set(try await replica.held().compactMap { $0.hash("hash") })
        guard !held.isEmpty else { return false }
        return try await batches(in: space, of: replica).contains {
            $0.log.device == nodes[liar].device && held.contains($0.hash)
        }
    }
}

/// The bytes that batches take, as quotas count them.
private struct StoredBytes {
    var all = 0
    /// The part that may not use the reserve: batches with operations other than controls.
    var ordinary = 0
}

extension Replica {
    /// Returns the bytes of the batches of a device, by space.
    fileprivate func storedBytes(of device: DeviceID) async throws -> [SpaceID: StoredBytes] {
        let rows = try await read(
            """
            SELECT s.id AS id, b.body AS body
            FROM batch b JOIN log l ON l.number = b.id >> 40 JOIN space s ON s.number = l.space
            WHERE l.device = ?
            """, [.bytes(device.bytes)], allowedTables: nil)
        return try rows.reduce(into: [:]) { found, row in
            guard let space = row.space("id"), let stored = row.bytes("body") else { return }
            let bytes = stored.count + Limits.batchRowBytes
            found[space, default: StoredBytes()].all += bytes
            let body = try BatchContent(decoding: stored).body
            guard body?.operations.contains(where: { $0.collection != .control }) ?? false else {
                return
            }
            found[space, default: StoredBytes()].ordinary += bytes
        }
    }

    /// Returns the highest number of a device's batches in a space; 0 if there is none.
    fileprivate func high(of device: DeviceID, in space: SpaceID) -> UInt64 {
        heads(in: space).filter { $0.log.device == device }.map(\.high).max() ?? 0
    }
}

internal import Identity
internal import Records
internal import Replica

// What a liar's misdeeds may cost a node.
extension World {
    /// Checks that what the liar did cost a node no more than the named limits, and that nobody
    /// honest lost a device.
    func checkFloods(_ node: Int) async throws {
        guard let replica = nodes[node].replica, !mix.floods.isEmpty else { return }
        try await checkHeld(by: replica, node)
        try await checkPeople(of: replica, node)
        for space in await replica.spaces() {
            try await checkSides(in: space, of: replica, node)
        }
        let profiles = try await replica.read(
            """
            SELECT count(*) AS count FROM \(RecordCollection.simulatedProfile.table)
            GROUP BY space ORDER BY 1 DESC LIMIT 1
            """, allowedTables: nil)
        let most = profiles.first?.integer("count") ?? 0
        tally.count("records one per person", Int(most))
        if most > society.people.count {
            throw Violation(.bounded, "node \(node) shows \(most) records, one for each person")
        }
        if replica.upkeep.hasDamage {
            throw Violation(.merged, "node \(node) takes what a liar sent for damage")
        }
    }

    private func checkHeld(by replica: Replica, _ node: Int) async throws {
        let held = Dictionary(grouping: try await replica.held()) { row in
            (row.bytes("id") ?? []) + (row.bytes("device") ?? [])
        }
        // A run with room for its first batch is stored as a whole.
        let limit = Limits.heldBatchesMax + World.batchesAheadMax
        guard let most = held.values.map(\.count).max(), most > limit else { return }
        throw Violation(.bounded, "node \(node) holds \(most) batches of one device")
    }

    private func checkPeople(of replica: Replica, _ node: Int) async throws {
        for person in society.people {
            guard let record = await replica.personRecord(person.id) else { continue }
            tally.count("person records checked")
            guard record.entries.count <= Limits.personDevicesMax else {
                throw Violation(.bounded, "node \(node) keeps \(record.entries.count) entries")
            }
            guard person.id != society.liar, record != person.record else { continue }
            throw Violation(
                .authentic,
                "node \(node) lists \(record.devices.count) devices of \(person.id.suffix) by "
                    + "\(record.entries.count) entries, which that person never signed")
        }
    }

    private func checkSides(
        in space: SpaceSummary, of replica: Replica, _ node: Int
    ) async throws {
        guard space.descriptor.kind != .group else { return }
        // What is before a fork is a log of its own, so four sides can make seven logs.
        let limit = 2 * Limits.forkSidesMax - 1
        let heads = await replica.heads(in: space.id)
        for (device, logs) in Dictionary(grouping: heads, by: \.log.device)
        where logs.count > limit {
            throw Violation(
                .bounded, "node \(node) names \(logs.count) logs of \(device.suffix)")
        }
    }
}

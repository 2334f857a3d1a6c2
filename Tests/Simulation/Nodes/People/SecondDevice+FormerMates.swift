internal import Identity
internal import PluginKit
internal import Records
internal import Replica

// The pairs of people who are mates no more: both devices keep them.
extension SecondDevice {
    /// Checks that both devices hold the same batches of each pair that is over and that both have
    /// opened, apart from abandoned logs. A device opens the pairs of all people of whom its person
    /// has a card, so not that of a person whose drop was declined on the other device.
    ///
    /// A log is *abandoned* if a former mate removed the device that wrote it, and the cut that
    /// ends it did not arrive before the mateship ended. A device that has such a log keeps it, and
    /// one that knows of the removal first never stores it.
    /// - Returns: the devices whose logs are on one device of this person only, by the ids of
    ///   spaces.
    func abandonedLogs() async throws -> [String: Set<DeviceID>] {
        guard let mine = node.replica, let theirs = owner.node.replica else { throw NodeIsGone() }
        let present = try await people(related: node).union(people(related: owner.node))
        var abandoned: [String: Set<DeviceID>] = [:]
        let open = Set(await theirs.spaces().map(\.id))
        for space in await mine.spaces().map(\.descriptor) where open.contains(space.id) {
            guard space.kind == .pair, let other = space.other(than: owner.id),
                !present.contains(other)
            else { continue }
            let (here, there) = (await mine.heads(in: space.id), await theirs.heads(in: space.id))
            for log in Set(Set(here).symmetricDifference(there).map(\.log)).sorted() {
                let counts = [here, there].map { heads in
                    heads.first { $0.log == log }?.high ?? 0
                }
                let behind = counts[0] < counts[1] ? mine : theirs
                guard counts[0] != counts[1],
                    await behind.personRecord(other)?.removedDevices.contains(log.device) == true,
                    await mine.membership(of: space.id)?.reachOfEnded(log, by: other) == nil,
                    await theirs.membership(of: space.id)?.reachOfEnded(log, by: other) == nil
                else {
                    world.violated(
                        "\(node.name) and \(owner.node.name) hold different batches of a pair "
                            + "that is over: \(counts) by \(log.device.suffix)")
                    continue
                }
                abandoned[space.id.description, default: []].insert(log.device)
                world.count("abandoned logs")
            }
        }
        return abandoned
    }

    /// The people with whom a device shares their pair, and those it blocked.
    private func people(related device: SimulatedNode) async throws -> Set<PersonID> {
        Set(
            try await device.rows(
                """
                SELECT person FROM neighbours_relations
                UNION SELECT person FROM neighbours_blocked
                """
            ).compactMap { $0.person("person") })
    }
}

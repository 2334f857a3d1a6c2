internal import Logging
internal import PluginKit
internal import Records
internal import Replica
internal import Sync

// Batches that are damaged on this disk, or came without a body, are requested from peers.
extension Node {
    /// Handles a peer's differing batch: checks whether this device's copy is damaged.
    func checkDiffering(
        _ log: LogName, number: UInt64, in space: SpaceID, from device: DeviceID
    ) async {
        links[device]?.audit.record(.init(space: space, log: log, number: number))
        await checkUnlessRecent(in: space)
    }

    /// Handles a batch that could not be read for a merge or for sending to a peer.
    func checkUnreadable(_ space: SpaceID) async { await checkUnlessRecent(in: space) }

    /// Checks the spaces in which the store found damage, unless it is already known. A check takes
    /// long, so no caller waits for it.
    func checkDamagedSpaces() async {
        for space in await replica.damagedSpaces() where health.damage.damaged[space] == nil {
            Task { await checkUnreadable(space) }
        }
    }

    private func checkUnlessRecent(in space: SpaceID) async {
        guard health.damage.permitCheck(of: space, now: clock.uptime) else { return }
        await lookForDamage(in: space)
    }

    /// Checks all spaces for damage on this disk, and requests the damaged batches from linked
    /// members.
    /// - Returns: the damage found. Some of it may already be repaired.
    func lookForDamage() async -> [SpaceID: [DamagedRange]] {
        var found: [SpaceID: [DamagedRange]] = [:]
        for space in await replica.spaces() {
            let ranges = await lookForDamage(in: space.id)
            if !ranges.isEmpty { found[space.id] = ranges }
        }
        return found
    }

    /// Checks one space for health.damage.
    @discardableResult
    func lookForDamage(in space: SpaceID) async -> [DamagedRange] {
        do {
            let check = health.damage.beginCheck()
            let found = try await replica.damagedBatches(in: space)
            health.damage.finishCheck(check, found: found, in: space)
            guard !found.isEmpty else { return [] }
            await tell(
                .damaged, about: space.description,
                "Stored changes of this device were damaged; they are fetched from others again. "
                    + "'waggle verify' shows the progress.")
            for device in links.keys.sorted() {
                links[device]?.session.wantAtOnce(in: space)
                await askForWanted(in: space, from: device)
            }
            return found
        } catch {
            logger.error("a space could not be checked", metadata: ["why": "\(error)"])
            return []
        }
    }

    /// Asks a linked member for batches that are damaged here, and for bodies that arrived erased
    /// without the batch that erased them. Until digests are equal, that batch may still arrive.
    func askForWanted(in space: SpaceID, from device: DeviceID) async {
        do {
            var ends = try await endsBeforeDamage(in: space)
            ends += try await replica.reachesBeforeMissing(in: space).map(LogReach.init)
            // One vector covers everything: the peer uses only the latest one.
            let first = Dictionary(ends.map { ($0.log, $0) }) { $0.number < $1.number ? $0 : $1 }
            guard !first.isEmpty, var active = links[device] else { return }
            let effects = active.session.wants(
                after: Array(first.values), in: space, now: clock.uptime)
            links[device] = active
            queue(effects, on: device)
        } catch {
            logger.error("damaged batches could not be requested", metadata: ["why": "\(error)"])
        }
    }

    /// Returns, for each damaged log, its last batch before the damage; the peer sends all that
    /// follow.
    private func endsBeforeDamage(in space: SpaceID) async throws -> [LogReach] {
        var ends: [LogReach] = []
        for range in health.damage.damaged[space] ?? [] {
            let before = range.numbers.lowerBound - 1
            let hash = try await replica.hash(of: range.log, number: before, in: space)
            ends.append(LogReach(log: range.log, number: before, prefix: hash?.prefix ?? 0))
        }
        return ends
    }

    /// Replaces damaged batches with those of a run.
    func mend(with run: Run, in space: SpaceID) async {
        guard health.damage.isWanted(run, in: space) else { return }
        do {
            let mended = try await replica.mend(
                run, in: space, wallTime: clock.wallTime)
            guard health.damage.recordMended(mended.count, with: run, in: space) else { return }
            let check = health.damage.beginCheck()
            health.damage.finishCheck(
                check, found: try await replica.damagedBatches(in: space), in: space)
            guard health.damage.damaged[space] == nil else { return }
            try await replica.rebuild(space)
            await advance(space)
            logger.notice("damaged batches were repaired", metadata: ["space": "\(space.suffix)"])
        } catch {
            logger.warning("damaged batches were not repaired", metadata: ["why": "\(error)"])
        }
    }
}

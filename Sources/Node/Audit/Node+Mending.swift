internal import Logging
internal import PluginKit
internal import Records
internal import Replica
internal import Sync

// What is damaged on this disk, or came without its body, is asked of those who have it.
extension Node {
    /// A peer holds another batch under a number: looks whether the one here is damaged.
    func noteDiffering(
        _ log: LogName, number: UInt64, in space: SpaceID, from device: DeviceID
    ) async {
        links[device]?.audit.note(.init(space: space, log: log, number: number))
        await lookIfNotLately(in: space)
    }

    /// Something of a space could not be read when it was merged anew or a peer was to be sent it.
    func noteUnreadable(_ space: SpaceID) async { await lookIfNotLately(in: space) }

    /// Looks through the spaces in which the store met damage, as long as nothing is known of it.
    /// A look takes time, so that nobody waits for it here.
    func lookWhereDamageWasMet() async {
        for space in await replica.damagedSpaces() where damage.damaged[space] == nil {
            Task { await noteUnreadable(space) }
        }
    }

    private func lookIfNotLately(in space: SpaceID) async {
        guard damage.takeLook(at: space, now: clock.uptime) else { return }
        await lookForDamage(in: space)
    }

    /// Looks all spaces through for damage on this disk, and asks linked members for what is.
    /// - Returns: what is damaged, of which some may be mended by now.
    func lookForDamage() async -> [SpaceID: [DamagedRange]] {
        var found: [SpaceID: [DamagedRange]] = [:]
        for space in await replica.spaces() {
            let ranges = await lookForDamage(in: space.id)
            if !ranges.isEmpty { found[space.id] = ranges }
        }
        return found
    }

    /// Looks a space through.
    @discardableResult
    func lookForDamage(in space: SpaceID) async -> [DamagedRange] {
        do {
            let found = try await replica.damagedBatches(in: space)
            damage.set(found, in: space)
            guard !found.isEmpty else { return [] }
            await tell(
                .damaged, about: space.description,
                "Stored changes of this device were damaged; they are fetched from others again. "
                    + "'waggle verify' says how far that has come.")
            for device in links.keys.sorted() {
                links[device]?.session.wantAtOnce(in: space)
                await askForWanted(in: space, from: device)
            }
            return found
        } catch {
            logger.error("a space could not be looked through", metadata: ["why": "\(error)"])
            return []
        }
    }

    /// Asks a linked member for what is damaged here, and for bodies that came erased without the
    /// word that erased them. Until digests are equal that word may be on its way.
    func askForWanted(in space: SpaceID, from device: DeviceID) async {
        do {
            var ends = try await endsBeforeDamage(in: space)
            ends += try await replica.reachesBeforeMissing(in: space).map(LogReach.init)
            // One vector says it all: the peer believes the last one it heard.
            let first = Dictionary(ends.map { ($0.log, $0) }) { $0.number < $1.number ? $0 : $1 }
            guard !first.isEmpty, var active = links[device] else { return }
            let effects = active.session.wants(
                after: Array(first.values), in: space, now: clock.uptime)
            links[device] = active
            queue(effects, on: device)
        } catch {
            logger.error("nothing could be asked for again", metadata: ["why": "\(error)"])
        }
    }

    /// Each log that is damaged with the last batch before that; what follows is sent too.
    private func endsBeforeDamage(in space: SpaceID) async throws -> [LogReach] {
        var ends: [LogReach] = []
        for range in damage.damaged[space] ?? [] {
            let before = range.numbers.lowerBound - 1
            let hash = try await replica.hash(of: range.log, number: before, in: space)
            ends.append(LogReach(log: range.log, number: before, prefix: hash?.prefix ?? 0))
        }
        return ends
    }

    /// Puts what a run brings in the place of what is damaged here.
    func mend(with run: Run, in space: SpaceID) async {
        guard damage.isWanted(run, in: space) else { return }
        do {
            let mended = try await replica.mend(
                run, in: space, wallMilliseconds: clock.wallMilliseconds)
            guard damage.noteMended(mended.count, with: run, in: space) else { return }
            damage.set(try await replica.damagedBatches(in: space), in: space)
            guard damage.damaged[space] == nil else { return }
            try await replica.rebuild(space)
            await advance(space)
            logger.notice("damaged batches were mended", metadata: ["space": "\(space.suffix)"])
        } catch {
            logger.warning("damaged batches were not mended", metadata: ["why": "\(error)"])
        }
    }
}

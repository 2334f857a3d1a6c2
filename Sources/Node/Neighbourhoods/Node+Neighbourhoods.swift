internal import Logging
internal import PluginHost
internal import PluginKit
internal import Records
internal import Replica
internal import Sync

// The neighbourhoods that this person joined: open spaces, which are opened and left as the core
// says.
extension Node {
    /// Tells the replica whose records are retained, opens the joined neighbourhoods and leaves
    /// those that are not joined any more. Doing it again changes nothing.
    ///
    /// Each step asks the replica, and passes the answer on. So only the refresh of the relations
    /// does this, which never runs twice at a time: an older answer cannot replace a newer one.
    func followNeighbourhoods() async {
        precondition(relationsRefresh.isRunning, "only a refresh of the relations does this")
        // Only the core knows which neighbourhoods are joined.
        guard host.core != nil, !life.isLeaving else { return }
        let joined = relations.neighbourhoods
        do {
            // A piece may arrive as soon as a space is open.
            if !joined.isEmpty { await retainAuthors() }
            if neighbourhoods.joined != joined { try await open(neighbourhoods: joined) }
            await retainDevices()
        } catch {
            logger.error("neighbourhoods were not opened", metadata: ["why": "\(error)"])
        }
    }

    private func open(neighbourhoods joined: Set<SpaceDescriptor>) async throws {
        let here = Set(await replica.spaces().map(\.descriptor).filter { $0.kind == .open })
        let left = here.subtracting(joined)
        if !left.isEmpty {
            let ids = left.map(\.id).sorted()
            await endSeeking(in: ids)
            try await replica.leave(ids)
        }
        var offers: [SpaceID: OpenOffer] = [:]
        for space in joined {
            try await replica.open(space)
            offers[space.id] = replica.offer(of: space.id)
        }
        guard neighbourhoods.follow(joined, offers) else { return }
        for device in links.keys.sorted() { await nameNeighbourhoods(to: device) }
        host.deliverNeighbourhoodChange()
    }

    /// Tells the replica whose records are retained, those of this person, of mates and of people
    /// met, and whose are refused.
    private func retainAuthors() async {
        let authors = OpenSpaces.Authors(
            retained: relations.people.union(relations.pairs).subtracting(relations.blocked),
            blocked: relations.blocked)
        guard neighbourhoods.authors != authors else { return }
        neighbourhoods.recordAuthors(authors)
        await replica.retain(authors.retained, blocked: authors.blocked)
    }

    /// Tells the exchanges whose logs are retained, and for whom and from whom content is fetched
    /// first.
    private func retainDevices() async {
        guard !neighbourhoods.isEmpty else { return }
        let devices = await replica.retainedDevices()
        openContent.seeking.recordKnown(devices)
        for space in neighbourhoods.ids {
            let now = clock.uptime
            let effects = neighbourhoods.exchange(of: space) { $0.retain(devices, now: now) }
            await perform(effects ?? [], in: space)
        }
    }

    /// Tells the replica among whose links the room for unknown authors is shared. Links whose
    /// share has become larger are asked again.
    func shareRoom() async {
        let linked = links.byDevice.filter { neighbourhoods.knows($0.key, linkID: $0.value.id) }
        let sharers = Set(linked.values.map(\.peer.person))
        guard neighbourhoods.sharers != sharers else { return }
        neighbourhoods.sharers = sharers
        let wallTime = clock.wallTime
        var before: [SpaceID: Set<PersonID>] = [:]
        for space in neighbourhoods.ids {
            before[space] = await replica.use(of: space, wallTime: wallTime)?.fullBringers
        }
        await replica.share(among: sharers)
        for (space, full) in before {
            let left = await replica.use(of: space, wallTime: wallTime)?.fullBringers ?? []
            if !full.isSubset(of: left) { await askAgain(in: space) }
        }
    }

    private func askAgain(in space: SpaceID) async {
        let now = clock.uptime
        let effects = neighbourhoods.exchange(of: space) { $0.madeRoom(now: now) }
        await perform(effects ?? [], in: space)
    }

    /// Removes what has expired, if that was not done for a while.
    func pruneNeighbourhoods() async {
        await shareRoom()
        guard neighbourhoods.beginPruning(ifDueAt: clock.uptime) else { return }
        do {
            let pruned = try await replica.prune(wallTime: clock.wallTime)
            await host.deliver(CommitNews(changes: pruned.removed), from: replica)
            for space in pruned.spaces {
                await offerChanged(of: space)
                await askAgain(in: space)
            }
        } catch {
            logger.error("what has expired was not removed", metadata: ["why": "\(error)"])
        }
    }
}

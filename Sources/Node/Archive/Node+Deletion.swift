internal import ControlAPI
internal import Logging
internal import NodeAPI
internal import PluginHost
internal import PluginKit
internal import Records
internal import Replica

// "Delete me": erases this person's data on all devices in reach, and then the home.
extension Node {
    /// The duration of each of the two waits for confirmations. They are separate so that a linked
    /// peer that confirms nothing does not use up the time of the others.
    static let deletionWait: Duration = .seconds(8)
    /// The time that batches have to arrive which a peer may confirm or not, or to be asked for.
    private static let farewellWait: Duration = .seconds(2)
    /// The interval at which it is checked what peers confirmed or asked for.
    private static let deletionPause: Duration = .milliseconds(100)

    /// Erases everything that this person wrote and others hold, ends every mateship, waits for the
    /// linked devices, and ends the node. The home is removed when the node ends. Records of others
    /// are not erased.
    /// - Throws: ``CommandFault/refused(_:)`` if the request was not confirmed.
    func deleteMe(isMeant: Bool) async throws -> Deletion {
        guard isMeant else {
            throw CommandFault.refused(
                "this permanently erases all your data, here and at your mates': add --yes")
        }
        try requireSettledLogs()
        // Everyone who is a mate now receives all of it, even after the mateship ends.
        life.beginLeaving()
        do { return try await eraseEverywhere() } catch {
            // The deletion failed, so relations must be computed again.
            life.giveUpLeaving()
            await refreshRelations()
            throw error
        }
    }

    private func eraseEverywhere() async throws -> Deletion {
        let spaces = await replica.spaces().map(\.descriptor).filter { $0.kind != .own }
        let people = await audience(of: spaces)
        let farewells = try await host.core?.farewells() ?? []
        // A card is shared between mates, so it is erased before the edges that make them mates.
        var erased = 0
        var erasedPlaces: [SpaceDescriptor] = []
        for space in spaces where space.kind != .pair {
            let count = try await eraseOwn(in: space)
            erased += count
            if space.kind == .open, count > 0 { erasedPlaces.append(space) }
        }
        await waitForNeighbours(upTo: await ownEnds(in: erasedPlaces))
        var confirmed = await confirmations(
            by: people, of: spaces, upTo: await ownEnds(in: spaces), within: Node.deletionWait)
        for space in spaces where space.kind == .pair { erased += try await eraseOwn(in: space) }
        let ends = await ownEnds(in: spaces)
        // The last batches need no confirmation: a peer that receives them no longer shares the
        // space, so it may not confirm them.
        await leaveGroups(spaces)
        confirmed.formIntersection(
            await confirmations(by: people, of: spaces, upTo: ends, within: Node.deletionWait))
        for farewell in farewells { _ = try await author(farewell.edits, in: farewell.space) }
        _ = await confirmations(
            by: people, of: spaces, upTo: await ownEnds(in: spaces), within: Node.farewellWait)
        life.finishLeaving()
        let unconfirmed = people.subtracting(confirmed)
        return Deletion(
            erased: erased, confirmed: confirmed.sorted().map { Key($0) },
            unconfirmed: unconfirmed.sorted().map { Key($0) })
    }

    /// - Returns: the number of erase batches written.
    private func eraseOwn(in space: SpaceDescriptor) async throws -> Int {
        let heads = await replica.heads(in: space.id).map(\.head)
        do {
            let commits = try await replica.eraseOwn(
                in: space.id, through: heads, wallTime: clock.wallTime)
            for commit in commits { await committed(commit) }
            return commits.count
        } catch is BatchFault {
            // A mate's card, or a group that this person left: nothing there belongs to this
            // person.
            return 0
        }
    }

    /// Waits until all linked devices that joined a neighbourhood were passed this device's log
    /// there up to these numbers, which say what was erased. They tell the other devices that have
    /// these records. A device that asks for nothing is not waited for longer than
    /// ``farewellWait``.
    private func waitForNeighbours(upTo ends: [SpaceID: UInt64]) async {
        let deadline = clock.uptime + Node.farewellWait
        while !neighbourhoods.hasPassed(upTo: ends), clock.uptime < deadline {
            do { try await clock.sleep(for: Node.deletionPause) } catch { return }
        }
    }

    private func leaveGroups(_ spaces: [SpaceDescriptor]) async {
        for space in spaces where space.kind == .group {
            do {
                let commit = try await replica.control(
                    [.leave], in: space.id, wallTime: clock.wallTime)
                await committed(commit)
            } catch {
                logger.notice("a group was not left", metadata: ["why": "\(error)"])
            }
        }
    }

    /// Returns the number of this device's last batch in each space.
    private func ownEnds(in spaces: [SpaceDescriptor]) async -> [SpaceID: UInt64] {
        var ends: [SpaceID: UInt64] = [:]
        for space in spaces {
            let own = await replica.heads(in: space.id).filter { $0.log.device == device }
            ends[space.id] = own.map(\.high).max()
        }
        return ends
    }

    /// Waits until the devices of linked people hold this device's logs up to these numbers in the
    /// spaces that are shared with them.
    /// - Returns: the people whose devices do.
    private func confirmations(
        by people: Set<PersonID>, of spaces: [SpaceDescriptor], upTo ends: [SpaceID: UInt64],
        within wait: Duration
    ) async -> Set<PersonID> {
        let deadline = clock.uptime + wait
        var confirmed: Set<PersonID> = []
        while true {
            for person in people.subtracting(confirmed) {
                if await hasConfirmed(person, spaces, ends) { confirmed.insert(person) }
            }
            let linked = Set(links.values.map(\.peer.person))
            let isDone = people.intersection(linked).isSubset(of: confirmed)
            guard !isDone, clock.uptime < deadline else { return confirmed }
            do { try await clock.sleep(for: Node.deletionPause) } catch { return confirmed }
        }
    }

    private func hasConfirmed(
        _ person: PersonID, _ spaces: [SpaceDescriptor], _ ends: [SpaceID: UInt64]
    ) async -> Bool {
        for space in spaces where await isAudience(person, of: space) {
            guard let end = ends[space.id] else { continue }
            let held = try? await replica.heldNumber(of: person, in: space.id)
            guard let held, held >= end else { return false }
        }
        return true
    }

    /// Returns everyone who holds data of this person's: mates, and members of this person's
    /// groups.
    private func audience(of spaces: [SpaceDescriptor]) async -> Set<PersonID> {
        var people = relations.people
        for space in spaces where space.kind == .group {
            people.formUnion(await present(in: space))
        }
        return people.subtracting([me])
    }

    private func present(in group: SpaceDescriptor) async -> [PersonID] {
        await replica.members(in: group.id).filter { $0.state == .member }.map(\.person)
    }

    /// Whether batches written in a space reach a person.
    private func isAudience(_ person: PersonID, of space: SpaceDescriptor) async -> Bool {
        switch space {
        case .card(let owner): owner == me && relations.shares(.cards, with: person)
        case .pair(let one, let other): person == one || person == other
        case .group: await present(in: space).contains(person)
        default: false
        }
    }
}

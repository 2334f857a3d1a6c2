internal import ControlAPI
internal import Logging
internal import PluginKit
internal import Records
internal import Replica

// "Delete me": what this person wrote is erased wherever it is in reach, and then the home.
extension Node {
    /// How long to wait for others to confirm, each of three times: one who is linked and confirms
    /// nothing must not use up the time of the others.
    static let deletionWait: Duration = .seconds(8)
    /// How often to look whether they have.
    private static let deletionPause: Duration = .milliseconds(100)

    /// Erases everything of one's own that others hold, ends every mateship, waits for those who
    /// are linked, and ends the node; the home goes with its end. What others wrote stays theirs.
    /// - Throws: ``CommandFault/usage(_:field:)`` where it was not said to be meant.
    func deleteMe(isMeant: Bool) async throws -> JSONValue {
        guard isMeant else {
            throw CommandFault.usage(
                "this erases all that you wrote, here and at your mates, for good: say --yes",
                field: "yes")
        }
        try requireSettledLogs()
        // Whoever is a mate now is told all of it, though mates they are no more.
        isLeaving = true
        do { return try await eraseEverywhere() } catch {
            // It was not done, so who may see what must be looked at again.
            isLeaving = false
            await refreshRelations()
            throw error
        }
    }

    private func eraseEverywhere() async throws -> JSONValue {
        let spaces = await replica.spaces().map(\.descriptor).filter { $0.kind != .own }
        let people = await audience(of: spaces)
        let farewells = try await host.core?.farewells() ?? []
        // A card is shared between mates: it goes before the edges that make them so.
        var erased = 0
        for space in spaces where space.kind != .pair { erased += try await eraseOwn(in: space) }
        await leaveGroups(spaces)
        var confirmed = await confirmations(by: people, of: spaces)
        for space in spaces where space.kind == .pair { erased += try await eraseOwn(in: space) }
        confirmed.formIntersection(await confirmations(by: people, of: spaces))
        // Of the last word nobody need confirm anything: who took it shares nothing any more.
        for farewell in farewells { _ = try await author(farewell.edits, in: farewell.space) }
        _ = await confirmations(by: people, of: spaces)
        isDeleted = true
        stopRequest.finish()
        let unconfirmed = people.subtracting(confirmed)
        return [
            "erased": .integer(Int64(erased)),
            "confirmed": .array(confirmed.sorted().map { .string($0.description) }),
            "unconfirmed": .array(unconfirmed.sorted().map { .string($0.description) }),
        ]
    }

    /// - Returns: how many batches of erases were written.
    private func eraseOwn(in space: SpaceDescriptor) async throws -> Int {
        let heads = await replica.heads(in: space.id).map(\.head)
        do {
            let commits = try await replica.eraseOwn(
                in: space.id, through: heads, wallMilliseconds: clock.wallMilliseconds)
            for commit in commits { await committed(commit) }
            return commits.count
        } catch is BatchFault {
            // A card of a mate's, or a group that one left: nothing there is one's own.
            return 0
        }
    }

    private func leaveGroups(_ spaces: [SpaceDescriptor]) async {
        for space in spaces where space.kind == .group {
            do {
                let commit = try await replica.control(
                    [.leave], in: space.id, wallMilliseconds: clock.wallMilliseconds)
                await committed(commit)
            } catch {
                logger.notice("a group was not left", metadata: ["why": "\(error)"])
            }
        }
    }

    /// Waits until linked people's devices hold all of this device's logs in the spaces that are
    /// shared with them.
    /// - Returns: the people who do.
    private func confirmations(
        by people: Set<PersonID>, of spaces: [SpaceDescriptor]
    ) async -> Set<PersonID> {
        let deadline = clock.uptime + Node.deletionWait
        var confirmed: Set<PersonID> = []
        while true {
            for person in people.subtracting(confirmed) {
                if await hasConfirmed(person, spaces) { confirmed.insert(person) }
            }
            let linked = Set(links.values.map(\.peer.person))
            let isDone = people.intersection(linked).isSubset(of: confirmed)
            guard !isDone, clock.uptime < deadline else { return confirmed }
            do { try await clock.sleep(for: Node.deletionPause) } catch { return confirmed }
        }
    }

    private func hasConfirmed(_ person: PersonID, _ spaces: [SpaceDescriptor]) async -> Bool {
        for space in spaces where await isAudience(person, of: space) {
            let own = await replica.heads(in: space.id).filter { $0.log.device == device }
            for head in own {
                guard await acknowledged(space.id, by: person) >= head.high else { return false }
            }
        }
        return true
    }

    /// Everybody who holds something of this person's: mates, and those in one's groups.
    private func audience(of spaces: [SpaceDescriptor]) async -> Set<PersonID> {
        var people = Set(relations.pairs.keys)
        for space in spaces where space.kind == .group {
            people.formUnion(await present(in: space))
        }
        return people.subtracting([me])
    }

    private func present(in group: SpaceDescriptor) async -> [PersonID] {
        await replica.members(in: group.id).filter { $0.state == .member }.map(\.person)
    }

    /// Whether what is written in a space reaches a person.
    private func isAudience(_ person: PersonID, of space: SpaceDescriptor) async -> Bool {
        switch space {
        case .card(let owner): owner == me && relations.isMate(person)
        case .pair(let one, let other): person == one || person == other
        case .group: await present(in: space).contains(person)
        default: false
        }
    }

    private func acknowledged(_ space: SpaceID, by person: PersonID) async -> UInt64 {
        let rows = try? await replica.read(
            """
            SELECT max(a.number) AS number FROM waggle_acknowledged a
            JOIN waggle_log l ON l.log = a.log JOIN waggle_space s ON s.space = a.space
            WHERE s.id = ? AND l.device = ? AND a.person = ?
            """, [.bytes(space.bytes), .bytes(device.bytes), .bytes(person.bytes)],
            allowedTables: nil)
        return UInt64(clamping: rows?.first?.integer("number") ?? 0)
    }
}

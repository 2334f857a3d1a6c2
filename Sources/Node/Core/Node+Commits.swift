internal import Links
internal import PluginKit
internal import Records
internal import Replica
internal import Sync

// What is committed here goes to three places: the sessions of linked members, the plugin whose
// records changed, and, where it changes who is a mate, the choice of what is shared.
extension Node {
    /// Authors one batch for a plugin; it is on the disk when this returns.
    func author(
        _ edits: [Edit], in space: SpaceDescriptor
    ) async throws -> [EntityID] {
        try requireSettledLogs()
        let commit = try await replica.author(
            edits, in: space.id, wallMilliseconds: clock.wallMilliseconds)
        await committed(commit)
        return commit.created
    }

    /// Changes who is in a group; it is on the disk when this returns.
    func control(_ edits: [ControlEdit], in group: SpaceDescriptor) async throws {
        try requireSettledLogs()
        await committed(
            try await replica.control(
                edits, in: group.id, wallMilliseconds: clock.wallMilliseconds))
    }

    /// Gives a person a role in a group, where they do not have it.
    func invite(_ person: PersonID, to group: SpaceDescriptor, as role: Role) async throws {
        let known = await replica.members(in: group.id).first { $0.person == person }
        let edits = ControlEdit.giving(role, to: person, known: known)
        if !edits.isEmpty { try await control(edits, in: group) }
    }

    /// Opens a space, and shares it with whom it concerns.
    func open(_ space: SpaceDescriptor) async throws {
        guard await replica.descriptor(of: space.id) == nil else { return }
        try await replica.open(space)
        if space.kind == .group { await refreshRelations() }
    }

    /// Spreads the news of a commit.
    func committed(_ commit: Commit) async { await committed([commit]) }

    /// Spreads the news of what was committed together, once per space.
    func committed(_ commits: [Commit]) async {
        await deliver(commits)
        for space in Set(commits.map(\.space)).sorted() { await advance(space) }
    }

    /// Tells the plugins what was committed together.
    func deliver(_ commits: [Commit]) async {
        var known: Set<RecordChange> = []
        let changes = commits.flatMap(\.changes).filter { known.insert($0).inserted }
        let regrouped = Set(commits.filter(\.membershipChanged).map(\.space))
        // Who was removed is shared nothing with any more before anything else is sent.
        if !regrouped.isEmpty || host.concernsRelations(changes) { await relationsHold() }
        if links.values.contains(where: { !$0.records.isEmpty }) { await learnWaitingRecords() }
        if !regrouped.isEmpty { await noteEndedLogs() }
        host.deliver(changes)
        for space in regrouped.sorted() {
            guard let group = await replica.descriptor(of: space) else { continue }
            host.deliver(membersOf: group)
        }
    }

    /// Tells every session that shares a space how far it reaches now.
    func advance(_ space: SpaceID) async {
        guard links.values.contains(where: { $0.session.sharedSpaces.contains(space) }),
            let here = await shared(space)
        else { return }
        for device in links.keys {
            guard var link = links[device] else { continue }
            let effects = link.session.advanced(here)
            if !effects.isEmpty {
                link.digestPause = ActiveLink.digestPauseMin
                link.nextDigestQuestion = clock.uptime + link.digestPause
                nextTending = min(nextTending, link.nextDigestQuestion)
            }
            links[device] = link
            queue(effects, on: device)
        }
    }

    /// What of a space is here, or nil where it is not open.
    func shared(_ space: SpaceID) async -> SharedSpace? {
        // The digest is made of the same heads, since a commit may come between two questions.
        guard let logs = replica.logsBySeniority(in: space) else { return nil }
        return SharedSpace(space: space, digest: Digest.ofLogs(logs), logs: logs)
    }

    /// Asks the core plugin's views how this person stands with others, and shares accordingly.
    /// One look at a time: a change that comes while one is under way leads to another.
    func refreshRelations() async {
        relationsAreStale = true
        guard !isRefreshingRelations, !isLeaving else { return }
        isRefreshingRelations = true
        defer {
            isRefreshingRelations = false
            for waiter in relationsWaiters { waiter.resume() }
            relationsWaiters = []
        }
        while relationsAreStale {
            relationsAreStale = false
            do {
                try await apply(try await host.relations(replica))
            } catch is CancellationError {
                return
            } catch {
                logger.error("relations could not be read", metadata: ["why": "\(error)"])
            }
        }
    }

    /// Returns when relations as of now hold, also where a look is under way: nothing that was
    /// committed is passed on by what was shared before it. Nothing in ``apply(_:)`` may wait so.
    private func relationsHold() async {
        await refreshRelations()
        guard isRefreshingRelations else { return }
        await withCheckedContinuation { relationsWaiters.append($0) }
    }

    private func apply(_ fresh: Relations) async throws {
        guard fresh != relations else { return }
        for person in fresh.pairs.keys where fresh.isMate(person) {
            try await replica.open(.card(person))
        }
        // Who something is shared with, and who is blocked, must be known by their devices later.
        for link in links.values
        where fresh.isKnown(link.peer.person) || fresh.blocked.contains(link.peer.person) {
            try await replica.learn(link.hello.person)
        }
        let before = relations
        relations = fresh
        for link in links.values where fresh.blocked.contains(link.peer.person) {
            link.link.close(because: .refused)
        }
        if before.tagKeys != fresh.tagKeys || before.blocked != fresh.blocked {
            await refreshTags()
        }
        correctClock()
        announceNow()
        for (device, link) in links {
            if let key = link.targetKey { plan.note(key, isKnown: isKnown(link.peer.person)) }
            if !fresh.blocked.contains(link.peer.person) { await shareSpaces(with: device) }
        }
        giveUpSurplusStrangers()
    }

    /// Shares with a linked device exactly what its person may see now.
    func shareSpaces(with device: DeviceID) async {
        guard let person = links[device]?.peer.person else { return }
        var here: [SharedSpace] = []
        for descriptor in relations.spaces(sharedWith: person, me: me) {
            if let space = await shared(descriptor.id) { here.append(space) }
        }
        guard var link = links[device], link.peer.person == person else { return }
        let effects = link.session.share(here)
        links[device] = link
        queue(effects, on: device)
        await settle(effects, on: device, id: link.id)
        // What was committed since the spaces were read has passed this session by.
        for space in here { await advance(space.space) }
    }
}

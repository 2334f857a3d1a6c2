internal import Identity
internal import Links
internal import PluginHost
internal import PluginKit
package import Records
internal import Replica
internal import Sync

// A commit on this device goes to three places: the sessions of linked members, the plugin whose
// records changed, and, if it changes who is a mate, the choice of shared spaces.
extension Node {
    /// Authors one batch for a plugin; it is on the disk when this returns. A request that is
    /// performed again after a crash authors nothing that it has authored before.
    package func author(
        _ edits: [Edit], in space: SpaceDescriptor
    ) async throws -> [EntityID] {
        try requireSettledLogs()
        if PerformedAction.current != nil,
            let created = try await replica.created(by: edits, in: space.id)
        {
            return created
        }
        let commit = try await replica.author(
            edits, in: space.id, wallTime: clock.wallTime)
        recordProof(of: space.id)
        await committed(commit)
        return commit.created
    }

    /// Changes the membership of a group; the change is on the disk when this returns.
    package func control(_ edits: [ControlEdit], in group: SpaceDescriptor) async throws {
        try requireSettledLogs()
        await committed(
            try await replica.control(
                edits, in: group.id, wallTime: clock.wallTime))
    }

    /// Opens a space, and shares it with its members.
    package func open(_ space: SpaceDescriptor) async throws {
        guard await replica.descriptor(of: space.id) == nil else { return }
        try await replica.open(space)
        // My other devices share all pairs and groups that are open here.
        if space.kind == .group || space.kind == .pair { await refreshRelations() }
    }

    /// Announces a commit.
    func committed(_ commit: Commit) async { await committed([commit]) }

    /// Announces commits that were made together, once per space.
    func committed(_ commits: [Commit]) async {
        guard !commits.isEmpty else { return }
        await deliver(commits)
        for space in Set(commits.map(\.space)).sorted() { await advance(space) }
    }

    /// Tells the plugins about commits that were made together.
    func deliver(_ commits: [Commit]) async {
        guard !commits.isEmpty else { return }
        let news = CommitNews(commits)
        // Sharing with removed members ends before anything else is sent.
        if !news.regrouped.isEmpty || host.concernsRelationships(news.changes) {
            await relationsHold()
            links.mayRecordsBeUsable = true
        }
        if links.mayRecordsBeUsable, links.isAnyRecordWaiting { await learnWaitingRecords() }
        if !news.regrouped.isEmpty { await recordEndedLogs() }
        await lookForOwnContent(after: commits)
        await seekContent(of: commits)
        await host.deliver(news, from: replica)
    }

    /// Tells every session that shares a space about the space's new heads.
    func advance(_ space: SpaceID) async {
        guard !neighbourhoods.contains(space) else { return await offerChanged(of: space) }
        guard links.shares(space), let here = await shared(space) else { return }
        for device in links.keys {
            guard var link = links[device] else { continue }
            let effects = link.session.advanced(here)
            if !effects.isEmpty {
                link.digestPause = ActiveLink.digestPauseMin
                link.nextDigestQuestion = clock.uptime + link.digestPause
                links.nextTending = min(links.nextTending, link.nextDigestQuestion)
            }
            links[device] = link
            queue(effects, on: device)
        }
    }

    /// Returns the heads and digest of a space, or nil if it is not open.
    func shared(_ space: SpaceID) async -> SharedSpace? {
        // The digest covers the same heads, since a commit may happen between two reads.
        guard let logs = replica.logsBySeniority(in: space) else { return nil }
        return SharedSpace(space: space, digest: Digest.ofLogs(logs), logs: logs)
    }

    /// Asks the core plugin about this person's relations, and shares accordingly. Only one
    /// question is asked at a time: a change during it leads to another.
    func refreshRelations() async {
        guard !life.isLeaving, relationsRefresh.request() else { return }
        await relationsRefresh.run { await readRelations() }
    }

    private func readRelations() async {
        do {
            var fresh = try await host.relationships(replica)
            let notJoined = await replica.groupsNotJoined()
            fresh.restrict(notJoined, me: me)
            await replica.charge(fresh.inviters(of: notJoined))
            addNamed(to: &fresh)
            try await apply(fresh)
            await followNeighbourhoods()
        } catch is CancellationError {
            return
        } catch {
            logger.error("relations could not be read", metadata: ["why": "\(error)"])
        }
    }

    /// Waits until current relations apply, even if a refresh is already running: no commit is sent
    /// on according to older relations. Code in ``apply(_:)`` must not wait for this.
    private func relationsHold() async {
        await refreshRelations()
        await relationsRefresh.finished()
    }

    private func apply(_ fresh: Relationships) async throws {
        guard fresh != relations else { return }
        for person in fresh.people(sharing: .cards) {
            try await replica.open(.card(person))
        }
        // The devices of people who share something, and of blocked people, must be known later.
        for link in links.values
        where fresh.isKnown(link.peer.person) || fresh.blocked.contains(link.peer.person) {
            let commits = try await replica.learn(link.listing)
            // Announcing may refresh the relations, which waits until this is done.
            if !commits.isEmpty { Task { await committed(commits) } }
        }
        let before = relations
        relations = fresh
        for link in links.values
        where fresh.isKnown(link.peer.person) && !before.isKnown(link.peer.person) {
            Task {
                do {
                    try await learnHello(of: link.peer.device, id: link.id)
                } catch {
                    end(link, becauseOf: error)
                }
            }
        }
        for link in links.values where fresh.blocked.contains(link.peer.person) {
            link.link.close(because: .refused)
        }
        if before.tagKeys != fresh.tagKeys || before.blocked != fresh.blocked {
            await refreshTags()
        }
        correctClock()
        announceNow()
        for (device, link) in links.byDevice {
            if let key = link.targetKey { plan.record(key, isKnown: isKnown(link.peer.person)) }
            if !fresh.blocked.contains(link.peer.person) { await shareSpaces(with: device) }
        }
        plan.recognizeRecent { isKnown($0) }
        if !fresh.people.isSubset(of: before.people) { plan.forgetStrangers() }
        giveUpSurplusStrangers()
    }

    /// Shares with a linked device exactly the spaces its person may see now, or ends the link if
    /// the person has removed the device.
    func shareSpaces(with device: DeviceID) async {
        guard let active = links[device] else { return }
        let person = active.peer.person
        // The removal may have been stored after the HELLO was checked, and before the link was one
        // of those that end with it.
        if await replica.personRecord(person)?.removedDevices.contains(device) == true {
            return await turnAway(active)
        }
        var here: [SharedSpace] = []
        for descriptor in relations.spaces(sharedWith: person, me: me) {
            if let space = await shared(descriptor.id) { here.append(space) }
        }
        guard var link = links[device], link.peer.person == person else { return }
        let before = link.session.sharedSpaces
        let effects = link.session.share(here)
        if link.session.sharedSpaces != before { links.mayRecordsBeUsable = true }
        // While the peer shares nothing either, it drops this person's record.
        if link.session.sharedSpaces.isEmpty, !before.isEmpty { link.owesRecord = true }
        links[device] = link
        queue(effects, on: device)
        await tellRecord(to: device, isCertain: !before.isEmpty)
        await settle(effects, on: device, id: link.id)
        // This session missed commits that were made after the spaces were read.
        for space in here { await advance(space.space) }
        await nameNeighbourhoods(to: device)
    }
}

extension Relationships {
    /// Returns who is charged with what some groups cost: the person who invited me, or else the
    /// founder.
    fileprivate func inviters(of spaces: Set<SpaceID>) -> [SpaceID: PersonID] {
        var people: [SpaceID: PersonID] = [:]
        for group in groups.keys where spaces.contains(group.id) {
            guard case .group(let owner, _) = group else { continue }
            people[group.id] = inviters[group] ?? owner
        }
        return people
    }
}

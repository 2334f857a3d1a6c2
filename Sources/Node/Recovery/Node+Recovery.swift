internal import ControlAPI
internal import Identity
internal import Links
internal import Logging
internal import NodeAPI
internal import PluginHost
internal import PluginKit
internal import Records
internal import Replica
internal import Sync

// The side that comes back by recovery words: first it asks who its person is, and then, as that
// person, what others share with it.
extension Node {
    /// Asks the peer of a new link what this node needs to know.
    func askForRecovery(on device: DeviceID, id: UInt64) {
        guard let active = links[device], active.id == id else { return }
        guard recovery.isSearching || recovery.asks(active.peer.person) else { return }
        guard active.version >= 3 else {
            recovery.olderCount += 1
            return
        }
        guard let search = recovery.search else { return askSpaces(after: nil, of: device) }
        do {
            let question = try RecoveryQuestion(from: self.device, to: device, by: search.key)
            links[device]?.recovery.awaitsPerson = true
            put(.message(.recoveryQuestion(question)), on: links[device])
        } catch {
            logger.error("a question was not signed", metadata: ["why": "\(error)"])
        }
    }

    /// Handles the answer to the question about the recovery key. A true one ends this run of the
    /// node: it starts again as the person.
    /// - Throws: ``SyncFault``, ``IdentityFault`` or ``RecoveryFault`` if the peer lied.
    func receive(_ answer: ClaimedPersonRecord?, from device: DeviceID) async throws {
        guard links[device]?.recovery.awaitsPerson == true else {
            throw SyncFault.unexpectedMessage("an answer without a question")
        }
        links[device]?.recovery.awaitsPerson = false
        guard let answer else {
            recovery.unknownCount += 1
            publishRecovery()
            return makeRoom(after: device)
        }
        let record = try PersonRecord(decoding: answer.encoded)
        guard life.reasonToBeginAnew == nil else { return }
        do {
            try identity.comeBack(as: record, in: settings.home, at: clock.wallTime)
        } catch let fault as RecoveryFault {
            recovery.fault = fault
            publishRecovery()
            guard fault != .otherKey else { throw fault }
            return makeRoom(after: device)
        }
        logger.notice("the recovery words found their person")
        life.beginAnew(
            because: Notice(
                kind: .recovered, reference: record.person.description,
                text: "You are back. What your mates have of you comes back as you meet them; "
                    + "'waggle recovery' shows it.",
                at: clock.wallTime))
    }

    /// Ends the link with a stranger who cannot help, if others wait for the room that it uses.
    func makeRoom(after device: DeviceID) {
        guard let active = links[device], !isKnown(active.peer.person),
            links.strangersCount(isKnown: { self.isKnown($0) }) >= DialPlan.strangersMax
        else { return }
        leave(active, .leaving, because: .refused)
    }

    /// Performs `recovery begin`: this home waits for the person of other words, in place of one
    /// who was just begun here, or of one who is searched for.
    /// - Throws: ``CommandFault/conflict(_:)`` if the person is in use,
    ///   ``CommandFault/usage(_:field:)`` if the words are wrong.
    func beginRecovery(by text: String) async throws -> Done {
        try await requireUnused()
        let words = try RecoveryWords.typed(text)
        try NodeIdentity.abandon(settings.home, for: words)
        life.beginAnew(
            because: Notice(
                kind: .recovered, reference: "words",
                text: "This device looks for the person of your recovery words.",
                at: clock.wallTime))
        return Done()
    }

    /// Performs `recovery cancel`: this home waits no longer, and begins as a new person.
    /// - Throws: ``CommandFault/conflict(_:)`` if it does not wait, else why the files cannot be
    ///   made.
    func cancelRecovery() throws -> NewBeginning {
        guard identity.isWaiting, life.reasonToBeginAnew == nil else {
            throw CommandFault.conflict(
                "this device waits neither for your recovery words nor for a code")
        }
        var numbers = RandomNumbers(source: surroundings.random)
        try identity.beginAsNewPerson(in: settings.home, using: &numbers)
        life.beginAnew(
            because: Notice(
                kind: .recovered, reference: "cancelled",
                text: "You begin as a new person on this device.", at: clock.wallTime))
        let detail: Sentence =
            "You begin as a new person. Write the recovery words in the file down on paper, and "
            + "then remove it."
        return NewBeginning(file: settings.home.recoveryWordsFile, detail: detail)
    }

    /// Checks that this home has no person, or one who was just begun and shares nothing.
    /// - Throws: ``CommandFault/conflict(_:)``.
    func requireUnused() async throws {
        guard !identity.isWaiting else { return }
        let isNamed = try await host.core?.myCard().nickname != nil
        let hasShared = await replica.spaces().contains {
            $0.descriptor.kind == .pair || $0.descriptor.kind == .group
        }
        guard !isNamed, !hasShared, recovery.regained == nil else {
            throw CommandFault.conflict(
                "You have begun here already, with a name or with others: delete this identity "
                    + "first, with 'Delete me…' in your profile or 'waggle me delete', or bring yourself "
                    + "back on another device.")
        }
    }

    // MARK: - Spaces

    private func askSpaces(after space: SpaceID?, of device: DeviceID) {
        guard let active = links[device],
            active.recovery.pagesCount < RecoveryOnLink.pagesMax
        else { return }
        links[device]?.recovery.awaitedPagesCount += 1
        put(.message(.askSpaces(after: space ?? SpaceID(raw: .zero))), on: active)
    }

    /// Handles a page of the spaces that the peer shares with this person: they are opened, and
    /// shared on this link until the records in them say more.
    ///
    /// Groups are believed of mates only, and of other devices of this person. So the groups of a
    /// peer whose pair is not proven yet are asked for again afterwards.
    /// - Throws: ``SyncFault/unexpectedMessage(_:)`` if nothing was asked, or if the peer names the
    ///   space of others.
    func receive(_ page: SpacePage, from device: DeviceID, id: UInt64) async throws {
        guard let active = links[device], active.id == id, active.recovery.awaitedPagesCount > 0
        else {
            throw SyncFault.unexpectedMessage("spaces without a question")
        }
        let person = active.peer.person
        links[device]?.recovery.awaitedPagesCount -= 1
        links[device]?.recovery.pagesCount += 1
        for space in page.spaces where space.kind == .pair {
            guard space.isWriter(me), let other = space.other(than: me),
                other == person || person == me
            else { throw SyncFault.unexpectedMessage("the space of other people") }
            try await expect(space, with: other, on: device)
        }
        let isProven = person == me || isPairProven(with: person)
        for space in page.spaces where space.kind == .group {
            guard isProven else {
                links[device]?.recovery.owesGroups = true
                break
            }
            try await replica.open(space)
            links[device]?.recovery.groups.insert(space)
        }
        guard links[device]?.id == id else { return }
        if page.hasMore, let last = page.spaces.last { askSpaces(after: last.id, of: device) }
        guard links[device]?.recovery.hasNamed == true || person == me else {
            return makeRoom(after: device)
        }
        await refreshRelations()
        await recordRegained(from: device)
    }

    /// Opens a pair that a peer named. Without room for it, it comes back on a later link.
    private func expect(
        _ pair: SpaceDescriptor, with other: PersonID, on device: DeviceID
    ) async throws {
        // This person's own device, which added this one, is believed.
        let isTrusted = links[device]?.peer.person == me && recovery.regained?.joinedFrom != nil
        guard !isTrusted else {
            try await replica.open(pair)
            recordProof(of: pair.id)
            links[device]?.recovery.pairs.insert(other)
            return
        }
        let isHere = await holdsMine(in: pair.id)
        guard isHere || recovery.expect(pair.id) else { return }
        try await replica.open(pair)
        links[device]?.recovery.pairs.insert(other)
    }

    private func isPairProven(with person: PersonID) -> Bool {
        let pair = SpaceDescriptor.between(me, person).id
        return relations.spaces(sharedWith: person, me: me).contains { $0.id == pair }
            && !recovery.unproven.contains(pair)
    }

    /// Whether a batch of this person is stored in a space.
    private func holdsMine(in space: SpaceID) async -> Bool {
        let mine = await replica.personRecord(me)?.claims ?? [:]
        return await replica.heads(in: space).contains { mine[$0.log.device] != nil }
    }

    /// Returns the runs that may be stored: in a pair that a peer named, others' runs wait until
    /// one of this person is stored there. Those that wait are sent again.
    func permitted(
        _ runs: [(space: SpaceID, run: Run)]
    ) async -> [(space: SpaceID, run: Run)] {
        guard runs.contains(where: { recovery.unproven.contains($0.space) }) else { return runs }
        let mine = await replica.personRecord(me)?.claims ?? [:]
        return runs.filter { one in
            recovery.permits(one.run, in: one.space) { mine[$0] != nil }
        }
    }

    /// Records which pairs are proven by batches that were stored, and asks their peers for groups.
    func recordProofs(_ stored: [MergeOutcome.StoredRange]) {
        for space in Set(stored.map(\.space)) { recordProof(of: space) }
    }

    /// Records that a pair is proven, because a batch of this person is stored in it. The batch may
    /// be new: for example, Ben named a pair of which no batch came back, and this device writes
    /// into it when the two meet again.
    func recordProof(of space: SpaceID) {
        guard recovery.prove(space) else { return }
        for (device, active) in links.byDevice
        where active.recovery.owesGroups
            && SpaceDescriptor.between(me, active.peer.person).id == space
        {
            links[device]?.recovery.owesGroups = false
            askSpaces(after: nil, of: device)
        }
    }

    /// Adds to the relations what peers named on their present links, as far as the records do not
    /// say it yet.
    func addNamed(to fresh: inout Relationships) {
        for active in links.values {
            for person in active.recovery.expectedPairs
            where !fresh.isRelated(person) && !fresh.blocked.contains(person) {
                fresh.add(.returning, with: person)
            }
            for group in active.recovery.groups {
                fresh.groups[group, default: []].insert(active.peer.person)
            }
        }
    }

    /// Records that a space is equal here and at a peer. If it is a pair that the peer named, its
    /// records now say everything that the peer knows of it.
    func recordArrival(of space: SpaceID, from device: DeviceID) async {
        guard let active = links[device], active.recovery.hasNamed,
            !recovery.unproven.contains(space),
            let pair = await replica.descriptor(of: space), pair.kind == .pair,
            let person = pair.other(than: me),
            links[device]?.recovery.recordArrival(of: person) == true
        else { return }
        await refreshRelations()
    }

    /// Whether a peer that is linked now named a group.
    func isNamed(_ group: SpaceDescriptor) -> Bool {
        links.values.contains { $0.recovery.groups.contains(group) }
    }

    /// Updates the relations after a link ended whose peer named spaces.
    func forgetNamed(by active: ActiveLink) {
        guard active.recovery.hasNamed else { return }
        for person in active.recovery.pairs {
            recovery.forget(SpaceDescriptor.between(me, person).id)
        }
        Task { await refreshRelations() }
    }
}

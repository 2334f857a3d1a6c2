internal import ControlAPI
internal import Discovery
internal import Identity
package import Links
internal import Logging
internal import PluginHost
package import PluginKit
internal import Records
package import Replica
internal import Sync

/// A running node, which wires the other parts together: it owns the links, hands what arrives to
/// the values that decide, and performs what they say. The replica, the plugins and the sockets do
/// the rest.
///
/// Each stored value has one responsibility and its own tests: ``LinkTable`` and ``LANView`` know
/// who is there, ``DialPlan`` whom to dial, ``OwnLogs`` whether writing is safe, ``StoreHealth``
/// what to check, ``NodeLife`` when to end.
public actor Node {
    let settings: NodeSettings
    let identity: NodeIdentity
    package nonisolated let replica: Replica
    let surroundings: Surroundings
    let fixed: FixedAddresses
    let host: PluginHost
    let events: EventHub
    let clock: CorrectedClock
    /// Shows the plugins' notices; nil without a desktop.
    let notifier: Notifier?
    /// Facts about this run, for HELLO and `status`.
    var start: NodeStart
    var life: NodeLife
    var links = LinkTable()
    var plan = DialPlan()
    /// The announcements of others.
    var lan = LANView()
    /// The spaces shared with each person.
    var relations = Relationships()
    /// The question to the core plugin about this person's relations.
    let relationsRefresh = SingleFlight()
    var waiters = AnswerWaiters()
    /// The device's location and its source.
    var location = LocationFeed()
    /// The provider of measured distances.
    var ranging = RangingFeed()
    var ownLogs: OwnLogs
    /// The progress of bringing the person back by recovery words.
    var recovery: Recovery
    /// The facts about this person's other devices that are not stored.
    var ownDevices = OwnDevices()
    /// The code that this device shows to add another.
    var adding = Adding()
    /// The progress of becoming another device of a person.
    var joining: Joining
    /// Notices for the person.
    var notices = Notices()
    /// The damage, the audits and the scrubs of the store.
    var health: StoreHealth
    /// The memory for received messages of all links.
    nonisolated let inboxRoom = InboxRoom()
    /// Decides when free memory is returned to the system.
    var burst = MergeBurst()
    /// The content of blobs that is wanted and fetched from members.
    var content = MemberContent()
    /// The content of neighbourhoods that is looked for and fetched.
    var openContent = OpenContent()
    /// The joined neighbourhoods and their exchanges.
    var neighbourhoods = OpenSpaces()
    /// Rings when an exchange must be advanced sooner than planned.
    let exchangeAlarm = Alarm()

    /// Opens a home's replica and makes the node with its plugins; ``run(listener:)`` starts it.
    /// - Parameter stopRequest: finished to request the end of the node.
    /// - Throws: ``CommandFault`` if the home or a plugin's manifest cannot be used.
    package init(
        settings: NodeSettings, identity: NodeIdentity, plugins: [any Plugin.Type],
        surroundings: Surroundings, stopRequest: AsyncStream<Never>.Continuation
    ) throws {
        self.settings = settings
        self.identity = identity
        self.surroundings = surroundings
        life = NodeLife(stopRequest: stopRequest)
        clock = CorrectedClock(surroundings.clock)
        let regained = Regained(of: settings.home)
        let isComplete = regained?.contains(identity.person.person) ?? true
        let adder = isComplete ? nil : regained?.address
        let joinAddresses = [identity.attempt?.address, adder.flatMap { Endpoint($0) }]
        fixed = FixedAddresses(
            settings.peers.compactMap { Endpoint($0) } + joinAddresses.compactMap(\.self))
        joining = Joining(identity.attempt)
        events = EventHub()
        let random = surroundings.random
        host = try PluginHost(
            plugins,
            marker: try PluginMarker(
                directory: settings.home.directory, plugins: plugins.map { $0.manifest.id }),
            journals: PluginJournals(directory: settings.home.directory), clock: clock,
            logger: surroundings.logger)
        notifier = surroundings.desktop.map { [host, clock, events] server in
            Notifier(
                server, settings.noticePreferences(host.noticeKinds), in: settings.catalogue,
                host: host, clock: clock, events: events, logger: surroundings.logger)
        }
        replica = try Replica(
            home: settings.home, identity, host, random, settings.quota, surroundings.diskSpace,
            executor: surroundings.replicaExecutor)
        let boot = Boot(
            id: random.nonce(), startCount: UInt64(clamping: replica.startCount.inDatabase))
        let isDoubtful = replica.startCountsDisagree
        recovery = Recovery(search: identity.search, regained: regained)
        ownLogs = OwnLogs(
            isDoubtful: isDoubtful, isCut: replica.hasCutOwnLog,
            waits: identity.wait, now: clock.uptime)
        health = StoreHealth(isAuditDue: isDoubtful)
        start = NodeStart(boot: boot, time: clock.systemTime)
        host.load(
            on: self, as: Peer(device: identity.key.id, person: identity.person.person),
            formerDevices: identity.formerDevices, random: random)
    }

    /// The device this node runs on.
    nonisolated var device: DeviceID { identity.key.id }
    /// The person who owns this node.
    nonisolated var me: PersonID { identity.person.person }
    nonisolated var logger: Logger { surroundings.logger }

    /// Opens this person's own spaces and reads the relations. Commands are accepted after that.
    package func prepare(port: UInt16) async throws {
        start.port = port
        try await replica.learn(identity.person)
        if replica.startCountsDisagree { try await replica.renewEpoch() }
        start.replicaEpoch = try await replica.epoch()
        await recordOwnRemoval()
        try await replica.open(.own(me))
        try await replica.open(.card(me))
        await recordEndedLogs()
        // Mates and blocked people are recognized by their tags from the first sighting on.
        lan.tags.beginHour(at: clock.wallTime)
        await refreshRelations()
    }

    /// Runs the node until its task is cancelled: listens, discovers others, and keeps links and
    /// plugins running.
    package func run(listener: any LinkArrivals) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.acceptLinks(listener) }
            group.addTask { await self.follow(self.fixed, announces: false) }
            if let discovery = self.surroundings.discovery {
                group.addTask { await self.follow(discovery, announces: true) }
            }
            if let notifier = self.notifier { group.addTask { await notifier.run() } }
            group.addTask { await self.calendarKeeper.run() }
            group.addTask { await self.reconcileContent() }
            group.addTask { await self.runExchanges() }
            group.addTask { await self.runPlugins() }
            group.addTask { await self.tick() }
            startDiscovery()
            startLocation()
            startRanging()
            await group.waitForAll()
        }
    }

    /// Withdraws the announcement, says goodbye on every link and waits until that is sent.
    package func stop(listener: any LinkArrivals) async {
        life.beginStopping()
        location.stop()
        ranging.stop()
        for link in links.values {
            put(.message(.bye(.leaving)), on: link)
            link.outbox.finish()
        }
        await surroundings.discovery?.stop()
        await fixed.stop()
        await notifier?.stop()
        try? await clock.sleep(for: Node.farewell)
        for link in links.values { link.link.close(because: .closed) }
        await listener.close()
    }

    /// The time allowed for sending a goodbye.
    static let farewell: Duration = .milliseconds(200)

    /// Runs the time-dependent work once a second.
    private func tick() async {
        while !Task.isCancelled {
            await maintain()
            do { try await clock.sleep(for: .seconds(1)) } catch { return }
        }
    }

    /// Does the work that is due: dials, pings, questions for digests, the hourly tag, held
    /// batches.
    func maintain() async {
        guard !life.isStopping else { return }
        guard settings.home.isLocked else {
            // Data written from now on could not be found again.
            logger.critical("the home is gone, and the node ends")
            return life.requestStop()
        }
        let upkeep = replica.upkeep
        if let fault = upkeep.ending {
            logger.critical("the node ends", metadata: ["why": "\(fault)"])
            return life.requestStop()
        }
        if burst.hasEnded() { Allocator.giveBack() }
        dialDue()
        maintainLinks()
        continueRanging()
        await maintainContent()
        await pruneNeighbourhoods()
        await maintainPairing()
        if lan.owesNearby || lan.ends.hasChanged(now: clock.uptime) { deliverNearbyChange() }
        await checkOwnLogs()
        auditIfDue()
        if upkeep.hasDamage { await checkDamagedSpaces() }
        if upkeep.isAnyoneFull || !health.toldFull.isEmpty { await recordFullness() }
        await lookForClones()
        recordWhetherAnybodyIsNear()
        if let cause = upkeep.dueScrub { await scrub(becauseOf: cause) }
        // Without this, a batch would wait for the next one of its space.
        let now = clock.wallTime
        if let due = upkeep.nextDue, due <= now { await releaseHeld() }
        guard lan.tags.beginHour(at: now) else { return }
        plan.forgetDisproved()
        await refreshTags()
        announceNow()
    }

    /// The reason the node ended to restart with the home's new identity, if it did.
    package var reasonToBeginAnew: Notice? { life.reasonToBeginAnew }

    /// Whether the home is removed when the node ends.
    package var isDeleted: Bool { life.isDeleted }

    /// Requests the end of the node.
    func requestStop() { life.requestStop() }

    /// Runs the plugins, which write by themselves and so wait until that is safe.
    private func runPlugins() async {
        if ownLogs.mayWrite { ownLogs.finishSettling() }
        for await _ in ownLogs.settled {}
        guard !Task.isCancelled else { return }
        await endRemovedLogs()
        await nameThisDevice()
        await tellReturns()
        await host.run()
    }

    private func releaseHeld() async {
        do {
            let due = try await replica.releaseDue(wallTime: clock.wallTime)
            for commit in due { await committed(commit) }
        } catch {
            logger.error("held batches could not be released", metadata: ["why": "\(error)"])
        }
    }

    private func recordWhetherAnybodyIsNear() {
        let isReasonDue = lan.lookForAnybody(isAnybodyLinked: !links.isEmpty, now: clock.uptime)
        if isReasonDue { deliverNearbyChange() }
    }
}

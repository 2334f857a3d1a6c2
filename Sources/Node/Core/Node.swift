internal import ControlAPI
internal import Discovery
internal import Identity
package import Links
internal import Location
internal import Logging
internal import PluginHost
package import PluginKit
internal import Records
package import Replica
internal import Sync

/// A running node, which connects all other parts. It owns the links and decides what is shared
/// over them; the replica, the plugins and the sockets do the rest.
public actor Node {
    let settings: NodeSettings
    let identity: NodeIdentity
    /// The person who owns this node.
    let me: PersonID
    package nonisolated let replica: Replica
    let transport: any Transport
    let discovery: (any Discovery)?
    let fixed: FixedAddresses
    let host: PluginHost
    let events: EventHub
    let clock: CorrectedClock
    let random: any RandomSource
    let receiver: @Sendable (_ host: String, _ port: Int) -> any LocationSource
    let logger: Logger
    /// New at each start, so that a peer can tell a newer boot from an older one.
    let boot: Boot
    /// Changes if the replica may have lost data that it acknowledged.
    var replicaEpoch = Bytes16.zero
    let started: Timestamp
    /// Finished to request the end of the node.
    let stopRequest: AsyncStream<Never>.Continuation

    /// The port on which the node listens; 0 before it does.
    var port: UInt16 = 0
    var links: [DeviceID: ActiveLink] = [:]
    /// When the next link needs a ping or a question, in time since the node's start.
    var nextTending: Duration = .zero
    var nextLinkID: UInt64 = 1
    var burst = MergeBurst()
    var plan = DialPlan()
    var recentTargets = RecentTargets()
    var sightings: [String: Sighting] = [:]
    /// When each sighting began.
    var sightedSince: [String: Timestamp] = [:]
    var discoveryState: DiscoveryState = .quiet
    var relations = Relationships()
    var lastAnnouncement: Announcement?
    /// Tags that mates' devices may announce in this hour.
    var matesByTag: [[UInt8]: DeviceID] = [:]
    /// Tags of blocked people's devices, which are not dialled.
    var blockedTags: [[UInt8]: DeviceID] = [:]
    var tagHour: Int64 = -1
    /// Whether a change in the nearby devices is unpublished because it came too soon.
    var owesNearby = false
    /// How long no one has been seen.
    var solitude = Solitude(since: .zero)
    var dialBackWaiters: [UInt64: CheckedContinuation<DialResult, Never>] = [:]
    /// Callers that wait for a link's digests; they receive whether these arrived in time.
    var digestWaiters: [UInt64: DigestWaiter] = [:]
    var nextWaiter: UInt64 = 1
    /// The device's location and its source.
    var location = LocationFeed()
    /// The question to the core plugin about this person's relations.
    let relationsRefresh = SingleFlight()
    var isStopping = false
    /// Whether this device knows where its own logs end.
    var ownLogs: OwnLogCheck
    /// The reason a required key change failed, if it did.
    var newKeyFault: String?
    /// Finishes when writing is safe.
    let settled: AsyncStream<Never>
    let settling: AsyncStream<Never>.Continuation
    /// Notices for the person, oldest first.
    var notices: [Notice] = []
    /// Notices that wait for the inbox until writing is safe.
    var unposted: [Notice] = []
    /// The limits of which the person was told that they are reached.
    var toldFull: Set<String> = []
    /// Stored batches that are known to be damaged.
    var damage = DamageLedger()
    /// Whether a full audit is due because a backup was restored.
    var isAuditDue: Bool
    /// The last result of `verify`.
    var lastReport: VerifyReport?
    /// Links that a peer replaced by one from another host, and since when, by device.
    var replacedElsewhere: [DeviceID: Duration] = [:]
    /// Why the node ended in order to restart with the home's new identity, if it did.
    package private(set) var reasonToBeginAnew: Notice?
    /// Whether this person is being deleted: shared spaces stay shared until the end.
    var isLeaving = false
    /// Whether the home is removed when the node ends.
    package var isDeleted = false
    /// When erased bytes may be removed from the files again, in time since the node's start.
    var nextScrub: Duration = .zero

    /// Opens a home's replica and makes the node with its plugins; ``run(listener:)`` starts it.
    /// - Parameter stopRequest: finished to request the end of the node.
    /// - Throws: ``CommandFault`` if the home or a plugin's manifest cannot be used.
    package init(
        settings: NodeSettings, identity: NodeIdentity, plugins: [any Plugin.Type],
        surroundings: Surroundings, stopRequest: AsyncStream<Never>.Continuation
    ) throws {
        self.settings = settings
        self.identity = identity
        me = identity.person.person
        self.stopRequest = stopRequest
        transport = surroundings.transport
        discovery = surroundings.discovery
        random = surroundings.random
        receiver = surroundings.receiver
        logger = surroundings.logger
        clock = CorrectedClock(surroundings.clock)
        fixed = FixedAddresses(settings.peers.compactMap { Endpoint($0) })
        events = EventHub()
        host = try PluginHost(
            plugins,
            marker: try PluginMarker(
                directory: settings.home.directory, plugins: plugins.map { $0.manifest.id }),
            clock: clock, logger: logger)
        replica = try Replica(
            home: settings.home, identity, host, random, settings.quota, surroundings.diskSpace,
            executor: surroundings.replicaExecutor)
        boot = Boot(
            id: random.nonce(), startCount: UInt64(clamping: replica.startCount.inDatabase))
        ownLogs = OwnLogCheck(isDoubtful: replica.startCountsDisagree, now: clock.uptime)
        if replica.hasCutOwnLog { ownLogs.recordCut() }
        isAuditDue = replica.startCountsDisagree
        (settled, settling) = AsyncStream.makeStream()
        started = clock.systemTime
        host.load(
            on: self, as: Peer(device: identity.key.id, person: identity.person.person),
            formerDevices: identity.formerDevices, random: random)
    }

    /// The device this node runs on.
    var device: DeviceID { identity.key.id }

    /// Opens this person's own spaces and reads the relations. Commands are accepted after that.
    package func prepare(port: UInt16) async throws {
        self.port = port
        try await replica.learn(identity.person)
        if replica.startCountsDisagree { try await replica.renewEpoch() }
        replicaEpoch = try await replica.epoch()
        try await replica.open(.own(me))
        try await replica.open(.card(me))
        await recordEndedLogs()
        // Mates and blocked people are recognized by their tags from the first sighting on.
        tagHour = TagSchedule.hour(wallTime: clock.wallTime)
        await refreshRelations()
    }

    /// Runs the node until its task is cancelled: listens, discovers others, and keeps links and
    /// plugins running.
    package func run(listener: any LinkArrivals) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.acceptLinks(listener) }
            group.addTask { await self.follow(self.fixed, announces: false) }
            if let discovery = self.discovery {
                group.addTask { await self.follow(discovery, announces: true) }
            }
            group.addTask { await self.runPlugins() }
            group.addTask { await self.tick() }
            startDiscovery()
            startLocation()
            await group.waitForAll()
        }
    }

    /// Withdraws the announcement, says goodbye on every link and waits until that is sent.
    package func stop(listener: any LinkArrivals) async {
        isStopping = true
        location.stop()
        for link in links.values {
            put(.message(.bye(.leaving)), on: link)
            link.outbox.finish()
        }
        await discovery?.stop()
        await fixed.stop()
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
        guard !isStopping else { return }
        guard settings.home.isLocked else {
            // Data written from now on could not be found again.
            logger.critical("the home is gone, and the node ends")
            return stopRequest.finish()
        }
        let upkeep = replica.upkeep
        if let fault = upkeep.ending {
            logger.critical("the node ends", metadata: ["why": "\(fault)"])
            return stopRequest.finish()
        }
        giveMemoryBack()
        dialDue()
        tendLinks()
        if owesNearby { publishNearby() }
        await checkOwnLogs()
        auditIfDue()
        if upkeep.hasDamage { await lookWhereDamageWasMet() }
        if upkeep.isAnyoneFull || !toldFull.isEmpty { await recordFullness() }
        await lookForClones()
        recordWhetherAnybodyIsNear()
        if upkeep.isScrubDue { await scrubIfDue() }
        // Without this, a batch would wait for the next one of its space.
        let now = clock.wallTime
        if let due = upkeep.nextDue, due <= now { await releaseHeld() }
        let hour = TagSchedule.hour(wallTime: now)
        guard hour != tagHour else { return }
        tagHour = hour
        plan.forgetDisproved()
        await refreshTags()
        announceNow()
    }

    private func giveMemoryBack() {
        if burst.hasEnded() { Allocator.giveBack() }
    }

    /// Whether the node ended in order to restart.
    package var isToBeginAnew: Bool { reasonToBeginAnew != nil }

    /// Ends the node so that its process restarts it with the home's new identity.
    func beginAnew(because reason: Notice) {
        reasonToBeginAnew = reason
        stopRequest.finish()
    }

    /// Runs the plugins, which write by themselves and so wait until that is safe.
    private func runPlugins() async {
        if ownLogs.mayWrite { settling.finish() }
        for await _ in settled {}
        guard !Task.isCancelled else { return }
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
        let isAnybodySeen = sightings.values.contains { $0.announcement != nil }
        let isDue = solitude.look(
            isAnybodyNear: !links.isEmpty || isAnybodySeen, now: clock.uptime)
        if isDue { publishNearby() }
    }
}

/// A caller that waits for a peer's answer to one question for digests.
struct DigestWaiter {
    /// The id of the link.
    let link: UInt64
    /// The number of the question on that link.
    let question: Int
    let continuation: CheckedContinuation<Bool, Never>
}

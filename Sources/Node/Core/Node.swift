internal import ControlAPI
internal import Discovery
internal import Identity
package import Links
internal import Location
internal import Logging
package import PluginKit
internal import Records
package import Replica
internal import Sync

/// A running node: the one place that knows everyone. It owns the links and decides what is shared
/// over them; the replica, the plugins and the sockets do the rest.
public actor Node {
    let settings: NodeSettings
    let identity: NodeIdentity
    /// The person whose node this is.
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
    /// Changes when the replica may have lost what it acknowledged.
    var replicaEpoch = Bytes16.zero
    let startedMilliseconds: Int64
    /// Finished when somebody asks the node to end.
    let stopRequest: AsyncStream<Never>.Continuation

    /// Where the node listens; 0 before it does.
    var port: UInt16 = 0
    var links: [DeviceID: ActiveLink] = [:]
    /// When the next of them wants a ping or a question, in time since the node's start.
    var nextTending: Duration = .zero
    var nextLinkID: UInt64 = 1
    var burst = MergeBurst()
    var plan = DialPlan()
    var sightings: [String: Sighting] = [:]
    /// When each sighting began, in milliseconds since 1970.
    var sightedSince: [String: Int64] = [:]
    var discoveryState: DiscoveryState = .quiet
    var relations = Relations()
    var announced = AnnouncedFields()
    var lastAnnouncement: Announcement?
    /// Tags by which mates' devices may be announced in this hour.
    var matesByTag: [[UInt8]: DeviceID] = [:]
    /// Tags of devices whose people are blocked: they are not dialled.
    var blockedTags: [[UInt8]: DeviceID] = [:]
    var tagHour: Int64 = -1
    /// Since when nobody is seen, in time since the node's start; nil while somebody is.
    var nobodySince: Duration? = .zero
    var dialBackWaiters: [UInt64: CheckedContinuation<DialResult, Never>] = [:]
    /// Who waits for a link's digests; they hear whether these came in time.
    var digestWaiters: [UInt64: DigestWaiter] = [:]
    var nextWaiter: UInt64 = 1
    /// Where the device is, and who is asked.
    var location = LocationFeed()
    var isRefreshingRelations = false
    var relationsAreStale = false
    /// Who waits until relations as of now hold.
    var relationsWaiters: [CheckedContinuation<Void, Never>] = []
    var isStopping = false
    /// Whether this device knows where its own logs end.
    var ownLogs: OwnLogCheck
    /// Why it can go on under no new key, where it would have to.
    var newKeyFault: String?
    /// Ends when writing is safe.
    let settled: AsyncStream<Never>
    let settling: AsyncStream<Never>.Continuation
    /// What its person should know, oldest first.
    var notices: [Notice] = []
    /// Notices that wait for the inbox until one may write.
    var unposted: [Notice] = []
    /// Stored batches that are known to be damaged.
    var damage = DamageLedger()
    /// Whether all is to be looked through, since a backup was restored.
    var isAuditDue: Bool
    /// What `verify` found last.
    var lastReport: VerifyReport?
    /// Links that a peer replaced by one that is not from here, by device.
    var replacedElsewhere: [DeviceID: Duration] = [:]
    /// Why the node ended in order to begin anew with the home's identity of now, if it did.
    package private(set) var reasonToBeginAnew: Notice?
    /// Whether this person is being deleted: what was shared stays shared until the end.
    var isLeaving = false
    /// Whether the home goes with the node's end.
    package var isDeleted = false
    /// When the files may be rid of erased bytes again, in time since the node's start.
    var nextScrub: Duration = .zero

    /// Opens a home's replica and makes the node with its plugins; ``run(listener:)`` starts it.
    /// - Parameter stopRequest: finished when somebody asks the node to end.
    /// - Throws: ``CommandFault`` where the home or a plugin's manifest cannot be used.
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
            plugins, marker: try PluginMarker(
                directory: settings.home.directory, plugins: plugins.map { $0.manifest.id }),
            clock: clock, logger: logger)
        replica = try Replica(
            home: settings.home, identity, host, random, executor: surroundings.replicaExecutor)
        boot = Boot(
            id: random.nonce(), startCount: UInt64(clamping: replica.startCount.inDatabase))
        ownLogs = OwnLogCheck(isDoubtful: replica.startCountsDisagree, now: clock.uptime)
        if replica.hasCutOwnLog { ownLogs.noteCut() }
        isAuditDue = replica.startCountsDisagree
        (settled, settling) = AsyncStream.makeStream()
        startedMilliseconds = clock.systemMilliseconds
        loadPlugins()
    }

    /// The device this node runs on.
    var device: DeviceID { identity.key.id }

    /// Opens what is one's own and looks how one stands with others. Commands are taken after that.
    package func prepare(port: UInt16) async throws {
        self.port = port
        try await replica.learn(identity.person)
        if replica.startCountsDisagree { try await replica.renewEpoch() }
        replicaEpoch = try await replica.epoch()
        try await replica.open(.own(me))
        try await replica.open(.card(me))
        await noteEndedLogs()
        await refreshRelations()
    }

    /// Runs the node until its task is cancelled: listens, looks for others, keeps links and the
    /// plugins going.
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

    /// Takes the announcement back, says goodbye on every link and waits until it is said.
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

    /// How long a goodbye may take to go out.
    static let farewell: Duration = .milliseconds(200)

    /// Once a second: what depends on time passing.
    private func tick() async {
        while !Task.isCancelled {
            await maintain()
            do { try await clock.sleep(for: .seconds(1)) } catch { return }
        }
    }

    /// Does what is due: dials, pings, questions for digests, the hourly tag, held batches.
    func maintain() async {
        guard !isStopping else { return }
        guard settings.home.isLocked else {
            // Nothing that is written now could be found again.
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
        await checkOwnLogs()
        auditIfDue()
        if upkeep.hasDamage { await lookWhereDamageWasMet() }
        await lookForClones()
        noteWhetherAnybodyIsNear()
        if upkeep.isScrubDue { await scrubIfDue() }
        let hour = TagSchedule.hour(wallMilliseconds: clock.wallMilliseconds)
        guard hour != tagHour else { return }
        tagHour = hour
        await refreshTags()
        announceNow()
        await releaseHeld()
    }

    private func giveMemoryBack() {
        if burst.hasEnded() { Allocator.giveBack() }
    }

    /// Whether the node ended in order to begin anew.
    package var isToBeginAnew: Bool { reasonToBeginAnew != nil }

    /// Ends the node so that whoever runs it begins anew with the home's identity of now.
    func beginAnew(because reason: Notice) {
        reasonToBeginAnew = reason
        stopRequest.finish()
    }

    /// Plugins write by themselves, so they wait until that is safe.
    private func runPlugins() async {
        if ownLogs.mayWrite { settling.finish() }
        for await _ in settled {}
        guard !Task.isCancelled else { return }
        await host.run()
    }

    private func releaseHeld() async {
        do {
            let due = try await replica.releaseDue(wallMilliseconds: clock.wallMilliseconds)
            for commit in due { await committed(commit) }
        } catch {
            logger.error("held batches could not be released", metadata: ["why": "\(error)"])
        }
    }

    private func noteWhetherAnybodyIsNear() {
        let isAnybodySeen = sightings.values.contains { $0.announcement != nil }
        if links.isEmpty, !isAnybodySeen {
            if nobodySince == nil { nobodySince = clock.uptime }
        } else {
            nobodySince = nil
        }
    }
}

/// Somebody who waits for a peer's answer to one question for digests.
struct DigestWaiter {
    /// The id of the link.
    let link: UInt64
    /// The number of the question on that link.
    let question: Int
    let continuation: CheckedContinuation<Bool, Never>
}

/// What plugins have asked to be announced.
struct AnnouncedFields: Hashable, Sendable {
    var dropOpen = false
    var names: Names?

    /// Shown to everyone while the person is visible.
    struct Names: Hashable, Sendable {
        let nickname: String
        let dogName: String
    }
}

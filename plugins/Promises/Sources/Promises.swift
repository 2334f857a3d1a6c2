public import PluginKit
internal import PromisesAPI

/// Promises: appointments to be at a location at a time, with a penalty for being late.
///
/// The promise, departures and arrivals are records of a group. Current locations are only in
/// memory. Ranks, lateness, titles and the ledger are derived from the records.
public actor Promises: Plugin {
    let context: PluginContext

    /// The promises that are not over, as of the last change.
    var current: [Promise] = []
    /// The state of each of them when it was last checked.
    private var moments: [SpaceID: Moment] = [:]
    /// The numbers of the last read that began and of the last that was applied. An older read
    /// never replaces the result of a newer one.
    private var readings = (begun: 0, shown: 0)
    /// The update of the inbox.
    let inboxUpdate = SingleFlight()
    /// The notices to post even if the inbox has them already.
    var renewed: Set<PromiseNotice> = []
    /// The last location that each person sent.
    var locations: [SpaceID: [PersonID: KnownLocation]] = [:]
    /// The location of this device, or that it is unknown.
    var whereabouts = Whereabouts.unknown
    /// The pace at which my location is sent, for each promise.
    var paces: [SpaceID: SendingPace] = [:]
    /// The pace at which my departures and arrivals are stored, for each promise.
    var declaringPaces: [SpaceID: TokenBucket] = [:]
    /// The promises for which this run of the node set out, or was told to continue.
    var begun: Set<SpaceID> = []
    /// My choices about sharing my location, for the promises that have one.
    var choices: [SpaceID: SharingChoice] = [:]
    /// The time when this device began to write under its current key; nil if it has not yet, or
    /// never wrote under another key.
    var keyBegan: Timestamp?
    /// The time that I had agreed to, for each promise if a move would immediately share my
    /// location, so that I am asked first. It is stored too, but counts before that.
    var awaitingConsent: [SpaceID: Timestamp] = [:]
    /// The promises to whose times I agreed, as they were last read.
    var sightings = Sightings()
    /// The time of each promise about which my inbox asks whether I agree to it.
    var questions: [SpaceID: Timestamp] = [:]
    /// The promises whose departure or arrival is being stored.
    var declaring: Set<SpaceID> = []
    /// The uptime at which followers are told about changed locations; nil if they are up to date.
    var tellDue: Duration?
    /// The state that followers were last told about.
    var news = PromiseNews()
    /// The wall-clock time of the last check.
    private var looked: Timestamp?
    /// The uptime of the next check.
    private var nextLook = Duration.zero
    /// Rings if something is due before the next check.
    private let alarm = Alarm()

    /// Creates the plugin with everything it may use.
    public init(context: PluginContext) { self.context = context }

    /// Checks the time whenever something is due.
    public func run() async throws {
        try await context.replica.open(.own(context.me))
        whereabouts = await context.location.whereabouts()
        try await refresh()
        while true {
            try await tick()
            let wait = untilDue
            nextLook = context.clock.uptime + wait
            try await alarm.wait(for: wait, on: context.clock)
        }
    }

    /// Checks the time sooner, if something is now due before the next check.
    func lookSooner() {
        if context.clock.uptime + untilDue < nextLook { alarm.ring() }
    }

    /// Tells followers a moment later, once: a sender of many locations wakes no device more often.
    func tellSoon() {
        guard tellDue == nil else { return }
        tellDue = context.clock.uptime + Self.tellInterval
        lookSooner()
    }

    /// Does what is due: starts and ends sharing, posts reminders, and tells followers that a phase
    /// has changed or a location is old.
    func tick() async throws {
        // If the clock was set back, a promise that was over may be current again.
        let isBack = looked.map { now < $0 } ?? false
        looked = now
        let isOver = isBack || currentMoments != moments
        if isOver { try await refresh() }
        let isDue = tellDue.map { context.clock.uptime >= $0 } ?? haveLocatedPeopleChanged
        if isOver || isDue { await tellChanged() }
        try await share()
    }

    /// The part of a promise's state that follows from the clock alone.
    private struct Moment: Hashable {
        let phase: PromisePhase
        let isAhead: Bool
        let isAgreed: Bool
    }

    private var currentMoments: [SpaceID: Moment] {
        let now = now
        return Dictionary(
            current.map {
                (
                    $0.id,
                    Moment(
                        phase: $0.phase(now: now), isAhead: now < $0.at, isAgreed: isAgreed($0))
                )
            }, uniquingKeysWith: { one, _ in one })
    }

    /// Processes changed records.
    public func applied(_ changes: [RecordChange]) async throws {
        for change in changes where change.space.kind == .group {
            news.recordChange(of: change.space.id)
        }
        try await refresh()
        try await share()
        await tellChanged()
    }

    /// Processes a change of the members of a group, which may be one of another plugin.
    public func membersChanged(in group: SpaceDescriptor) async throws {
        if try await isPromise(group.id) { news.recordChange(of: group.id) }
        try await refresh()
        try await introduceMyself()
        await tellChanged()
    }

    /// Processes a new location of this device.
    public func moved(_ whereabouts: Whereabouts) async throws {
        self.whereabouts = whereabouts
        defer { lookSooner() }
        // The location was withdrawn, or a new source has none yet.
        if whereabouts.fix == nil { try await withdrawLocation() }
        if haveLocatedPeopleChanged { tellSoon() }
        try await share()
    }

    /// Withdraws my location from those who were sent it.
    private func withdrawLocation() async throws {
        for promise in current where paces.removeValue(forKey: promise.id) != nil {
            try await send(.gone, to: promise)
        }
    }

    /// Sends a peer that comes into reach my location soon, or that I no longer share it.
    public func shared(_ space: SpaceDescriptor, with peer: Peer) async throws {
        defer { lookSooner() }
        for promise in current where promise.space == space && promise.includes(peer.person) {
            switch sharingState(of: promise) {
            case .sharing, .searching: paces[promise.id]?.recordNewPeer()
            case .stopped, .interrupted, .arrived, .unconfirmed:
                try await send(.gone, to: promise)
            default: break
            }
        }
    }

    /// Reads the current promises again, forgets those that are over, and updates the inbox.
    func refresh() async throws {
        readings.begun += 1
        let turn = readings.begun
        let read = try await readCurrent()
        let said = try await readChoices(of: read)
        // Read last: no promise is current in a newer state than this.
        let agreed = try await readAgreed()
        guard turn > readings.shown else { return }
        readings.shown = turn
        let known = Dictionary(
            current.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        for promise in read {
            guard let old = known[promise.id] else { continue }
            renewed.formUnion(PromiseNotice.renewed(from: old, to: promise, for: context.me))
        }
        (current, choices) = (read, said)
        findQuestions(agreed)
        moments = currentMoments
        let ids = Set(current.map(\.id))
        locations = locations.filter { ids.contains($0.key) }
        paces = paces.filter { ids.contains($0.key) }
        begun.formIntersection(ids)
        for promise in current { forgetLocations(of: promise) }
        try await endSharing()
        try await storeWithdrawals()
        lookSooner()
        try await reconcileInbox()
    }

    /// Ends sharing from this device if another device of mine was told to stop or to take over, or
    /// if I am asked again.
    private func endSharing() async throws {
        for promise in current where paces[promise.id] != nil {
            let state = sharingState(of: promise)
            guard [.stopped, .elsewhere, .unconfirmed].contains(state) else { continue }
            paces[promise.id] = nil
            // The device that took over sends its own location in place of this one.
            if state != .elsewhere { try await send(.gone, to: promise) }
        }
    }

    /// Whether I see the locations of the other participants.
    func isOn(_ promise: Promise) -> Bool {
        !promise.isDeleted && promise.includes(context.me)
            && promise.phase(now: now) == .tracking
    }

    /// Forgets the locations of people who no longer take part or have arrived.
    private func forgetLocations(of promise: Promise) {
        let isOn = isOn(promise)
        locations[promise.id] = locations[promise.id]?.filter { person, _ in
            isOn && promise.includes(person) && promise.person(person)?.arrived == nil
        }
    }

    /// The people whose location is known: they are on the way and sent one lately.
    private var currentlyLocated: [SpaceID: Set<PersonID>] {
        let uptime = context.clock.uptime
        var located: [SpaceID: Set<PersonID>] = [:]
        for promise in current {
            guard isOn(promise) else {
                located[promise.id] = []
                continue
            }
            var people = Set(
                (locations[promise.id] ?? [:])
                    .filter { $0.value.age(uptime: uptime) <= PromiseLimits.freshMax }.keys)
            if sharingState(of: promise) == .sharing { people.insert(context.me) }
            located[promise.id] = people
        }
        return located
    }

    /// Whether the people whose location is known differ from those that followers were told.
    private var haveLocatedPeopleChanged: Bool { news.differs(fromLocated: currentlyLocated) }

    /// Tells followers which parts of which promises to query again.
    func tellChanged() async {
        tellDue = nil
        let changes = news.removeChanges(until: seen)
        await context.events.publish(changes.map { EventMessage(PromiseEvents.changed, $0) })
    }

    /// The current promises as followers see them now.
    private var seen: [SpaceID: PromiseNews.Seen] {
        let (now, located) = (now, currentlyLocated)
        var seen: [SpaceID: PromiseNews.Seen] = [:]
        for promise in current {
            seen[promise.id] = PromiseNews.Seen(
                promise: promise, phase: promise.phase(now: now),
                mine: promise.person(context.me)?.membership, isAhead: now < promise.at,
                isAgreed: isAgreed(promise), sharing: sharingState(of: promise),
                ledger: Ledger([promise], now: now), located: located[promise.id] ?? [])
        }
        return seen
    }

    /// The current time, limited to the times that a promise may have.
    var now: Timestamp {
        min(context.clock.wallTime, PromiseLimits.latest)
    }
}

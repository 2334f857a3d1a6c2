public import PluginKit

/// Promises: to be at a place at a time, with a penalty for being late.
///
/// What is promised, who set out and who arrived are records of a group; where everybody is now is
/// in memory alone. Ranks, lateness, titles and the ledger are derived from the records.
public actor Promises: Plugin {
    let context: PluginContext

    /// Promises whose time is not over, as of the last change.
    var current: [Promise] = []
    /// How far each of them was when it was looked at last.
    private var moments: [SpaceID: Moment] = [:]
    /// Counts the readings of the records, so that none overtakes a later one.
    private var readings = (begun: 0, shown: 0)
    /// Whether the inbox is being brought in line, and whether it has to be once more.
    var inboxWork = (isOn: false, isStale: false)
    /// What the inbox is to tell though it may have told it before.
    var renewed: Set<PromiseNotice> = []
    /// Where people said they are; the last of each.
    var positions: [SpaceID: [PersonID: Position]] = [:]
    /// Where this device is.
    var whereabouts = Whereabouts.unknown
    /// How often my position is sent, for each promise.
    var paces: [SpaceID: SendingPace] = [:]
    /// Promises for which this start of the node set out, or was told to go on.
    var begun: Set<SpaceID> = []
    /// What I said of being shown, where I said something.
    var choices: [SpaceID: SharingChoice] = [:]
    /// When this device began to write under its key, in milliseconds since 1970; nil where it has
    /// not, or never wrote under another one.
    var keyBeganMs: Int64?
    /// Promises of which a departure or arrival is being stored.
    var declaring: Set<SpaceID> = []
    /// When, on the uptime clock, followers are told that somebody is somewhere else; nil where
    /// they know.
    var tellDue: Duration?
    /// Of whom it was known where they are when followers were told last.
    private var placed: [SpaceID: Set<PersonID>] = [:]
    /// When the time was looked at last, in milliseconds since 1970.
    private var lookedMs = Int64.min
    /// When the time is looked at next, on the uptime clock.
    private var nextLook = Duration.zero
    /// Rings where something is due sooner than that.
    private let alarm = Alarm()

    /// Makes the feature with all it may touch.
    public init(context: PluginContext) { self.context = context }

    /// Looks at the time whenever something is due.
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

    /// Looks at the time sooner, where something is due sooner than was known.
    func lookSooner() {
        if context.clock.uptime + untilDue < nextLook { alarm.ring() }
    }

    /// Tells followers a moment later, once: whoever sends many positions wakes nobody more often.
    func tellSoon() {
        guard tellDue == nil else { return }
        tellDue = context.clock.uptime + Self.tellInterval
        lookSooner()
    }

    /// Does what is due: begins and ends sharing, reminds, tells that a phase has changed or that
    /// a position is old.
    func tick() async throws {
        // After a clock was put back, what was over may be on again.
        let isBack = nowMs < lookedMs
        lookedMs = nowMs
        let isOver = isBack || currentMoments != moments
        if isOver { try await refresh() }
        let isDue = tellDue.map { context.clock.uptime >= $0 } ?? (currentlyPlaced != placed)
        if isOver || isDue { await tellChanged() }
        try await share()
    }

    /// What of a promise follows from the clock alone.
    private struct Moment: Hashable {
        let phase: PromisePhase
        let isAhead: Bool
    }

    private var currentMoments: [SpaceID: Moment] {
        let nowMs = nowMs
        return Dictionary(
            current.map {
                ($0.id, Moment(phase: $0.phase(nowMs: nowMs), isAhead: nowMs < $0.atMs))
            }, uniquingKeysWith: { one, _ in one })
    }

    /// Follows what changed in the records.
    public func applied(_ changes: [RecordChange]) async throws {
        try await refresh()
        try await share()
        await tellChanged()
    }

    /// Follows who takes part.
    public func membersChanged(in group: SpaceDescriptor) async throws {
        try await refresh()
        try await introduceMyself()
        await tellChanged()
    }

    /// Follows where this device is.
    public func moved(_ whereabouts: Whereabouts) async throws {
        self.whereabouts = whereabouts
        defer { lookSooner() }
        // A place that was taken back, or another source that knows none yet.
        if whereabouts.fix == nil { try await unsay() }
        if currentlyPlaced != placed { tellSoon() }
        try await share()
    }

    /// Takes back where I said I am.
    private func unsay() async throws {
        for promise in current where paces.removeValue(forKey: promise.id) != nil {
            try await send(.gone, to: promise)
        }
    }

    /// Whoever comes into reach is shown where I am soon, or that I share it no more.
    public func linkChanged(_ peer: Peer, isUp: Bool) async throws {
        guard isUp else { return }
        defer { lookSooner() }
        for promise in current where promise.includes(peer.person) {
            switch sharingState(of: promise) {
            case .sharing, .searching: paces[promise.id]?.someoneCame()
            case .stopped, .interrupted, .arrived: try await send(.gone, to: promise)
            case .idle, .outside, .elsewhere: break
            }
        }
    }

    /// Reads again what is not over yet, lets go of what is, and brings the inbox in line.
    func refresh() async throws {
        readings.begun += 1
        let turn = readings.begun
        let read = try await readCurrent()
        let said = try await readChoices(of: read)
        guard turn > readings.shown else { return }
        readings.shown = turn
        let known = Dictionary(
            current.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        for promise in read {
            guard let old = known[promise.id] else { continue }
            renewed.formUnion(PromiseNotice.renewed(from: old, to: promise, for: context.me))
        }
        (current, choices) = (read, said)
        moments = currentMoments
        let ids = Set(current.map(\.id))
        positions = positions.filter { ids.contains($0.key) }
        paces = paces.filter { ids.contains($0.key) }
        begun.formIntersection(ids)
        for promise in current { forgetPositions(of: promise) }
        try await endSharing()
        lookSooner()
        try await reconcileInbox()
    }

    /// What another device of mine was told ends showing where this one is.
    private func endSharing() async throws {
        for promise in current where paces[promise.id] != nil {
            let state = sharingState(of: promise)
            guard state == .stopped || state == .elsewhere else { continue }
            paces[promise.id] = nil
            // The device that goes on elsewhere shows another position in place of this one.
            if state == .stopped { try await send(.gone, to: promise) }
        }
    }

    /// Whether I am to see where others are.
    func isOn(_ promise: Promise) -> Bool {
        !promise.isDeleted && promise.includes(context.me)
            && promise.phase(nowMs: nowMs) == .tracking
    }

    /// Who does not take part any more, or has arrived, is not shown on the way.
    private func forgetPositions(of promise: Promise) {
        let isOn = isOn(promise)
        positions[promise.id] = positions[promise.id]?.filter { person, _ in
            isOn && promise.includes(person) && promise.person(person)?.arrivedMs == nil
        }
    }

    /// Of whom it is known where they are: who is on the way and was heard of lately.
    private var currentlyPlaced: [SpaceID: Set<PersonID>] {
        let uptime = context.clock.uptime
        var placed: [SpaceID: Set<PersonID>] = [:]
        for promise in current where isOn(promise) {
            var people = Set(
                (positions[promise.id] ?? [:])
                    .filter { $0.value.age(uptime: uptime) <= PromiseLimits.freshMax }.keys)
            if sharingState(of: promise) == .sharing { people.insert(context.me) }
            placed[promise.id] = people
        }
        return placed
    }

    /// Tells followers to ask again.
    func tellChanged() async {
        tellDue = nil
        placed = currentlyPlaced
        await context.events.publish("promise", .object([:]))
    }

    /// Now, within what a record may hold.
    var nowMs: Int64 {
        let range = PromiseLimits.timesMs
        return min(max(context.clock.wallMilliseconds, range.lowerBound), range.upperBound)
    }
}

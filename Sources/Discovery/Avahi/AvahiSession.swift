/// The logic of the daemon's client, as a value without thread, pointer, clock or network. Its
/// owner performs the actions in order and reports a failed action as the matching signal.
struct AvahiSession {
    /// The first and the longest pause before connecting again; the pause doubles each time. The
    /// first is short because a restarting daemon is back soon.
    static let pauseFirst = Duration.milliseconds(250)
    static let pauseMax = Duration.seconds(30)
    /// The pause before a refused announcement is tried again.
    static let refusedPause = Duration.seconds(60)
    /// The number of names that are tried without a pause if each is in use. More collisions
    /// indicate an attack.
    static let namesMax = 8

    private enum Link {
        case idle(until: Duration, AvahiFault)
        case connecting
        case waiting
        case busy
        case ready
    }

    fileprivate enum Placement {
        case pending
        case established
        case refused(AvahiFault, until: Duration)
    }

    private let patterns: InterfacePatterns
    private var announcement: Announcement
    private var attempt = 0
    private var link = Link.idle(until: .zero, .noDaemon)
    private var hasConnected = false
    private var failures = 0
    private var isBrowsing = false
    private var usable: [UInt32] = []
    private var placements: [UInt32: Placement] = [:]
    private var table: SightingTable

    init(announcing announcement: Announcement, leavingOut patterns: InterfacePatterns) {
        self.announcement = announcement
        self.patterns = patterns
        table = SightingTable(ownTag: announcement.tag)
    }

    /// The state of discovery.
    var state: DiscoveryState {
        switch link {
        case .idle(_, let fault): hasConnected ? Self.state(of: fault) : .starting
        case .waiting: .noDaemon
        case .connecting, .busy: .starting
        case .ready: announcingState
        }
    }

    /// The time of the next connection attempt, which ``tick(now:interfaces:)`` makes apart from
    /// its usual interval; a very late time if none is due.
    var nextConnection: Duration {
        if case .idle(let until, _) = link { until } else { .seconds(Int64.max) }
    }

    private var instance: String { announcement.instanceName(attempt: attempt) }

    private var announcingState: DiscoveryState {
        if usable.isEmpty { return .noInterface }
        var refusal: AvahiFault?
        for placement in placements.values {
            switch placement {
            case .established:
                return attempt == 0
                    ? .announcing(instance: instance) : .renamed(instance: instance)
            case .refused(let fault, _): refusal = fault
            case .pending: break
            }
        }
        return refusal.map(Self.state) ?? .starting
    }

    private static func state(of fault: AvahiFault) -> DiscoveryState {
        switch fault {
        case .noBus: .noBus
        case .noDaemon: .noDaemon
        case .nameTaken: .failed(reason: "all names that were tried are in use")
        case .refused(let reason): .failed(reason: reason)
        }
    }

    // MARK: - Local events

    /// Processes the present time and the interfaces of this host.
    mutating func tick(now: Duration, interfaces: [NetworkInterface]) -> [AvahiAction] {
        usable = interfaces.filter { $0.isUsable(leavingOut: patterns) }
            .prefix(DiscoveryLimits.interfacesMax).map(\.index)
        switch link {
        case .idle(let until, _) where until <= now:
            link = .connecting
            hasConnected = true
            return [.connect]
        case .ready: return announceWhereDue(now: now) + change { $0.tick(now: now) }
        case .idle, .connecting, .waiting, .busy: return []
        }
    }

    /// Changes the announcement.
    mutating func update(_ new: Announcement, now: Duration) -> [AvahiAction] {
        let old = announcement
        guard new != old else { return [] }
        announcement = new
        table.ownTag = new.tag
        if new.tag == old.tag, new.port == old.port {
            return placements.filter(\.value.isUp).keys.sorted()
                .map { .updateText(new, instance: instance, interface: $0) }
        }
        attempt = 0
        return withdrawAll() + announceWhereDue(now: now)
    }

    // MARK: - Events of the daemon

    mutating func receive(_ signal: AvahiSignal, now: Duration) -> [AvahiAction] {
        switch signal {
        case .waitingForDaemon:
            link = .waiting
            return []
        case .daemonBusy:
            link = .busy
            return withdrawAll()
        case .daemonReady: return ready(now: now)
        case .daemonLost(let fault): return lost(fault, now: now)
        case .announced(let interface, instance):
            if placements[interface] != nil { placements[interface] = .established }
            return []
        case .announcementRefused(let interface, instance, let fault):
            return refused(interface, fault, now: now)
        // A signal about a name that is no longer used.
        case .announced, .announcementRefused: return []
        case .found(let key):
            if patterns.leaveOut(key.interface.name) { return [] }
            return change { $0.found(key) }
        case .lost(let key): return change { $0.lost(key) }
        case .answered(let key, let answer):
            return change { $0.answered(key, answer, now: now) }
        case .unanswered(let key): return change { $0.unanswered(key, now: now) }
        }
    }

    private mutating func ready(now: Duration) -> [AvahiAction] {
        link = .ready
        failures = 0
        let browse: [AvahiAction] = isBrowsing ? [] : [.browse]
        isBrowsing = true
        return browse + announceWhereDue(now: now)
    }

    private mutating func lost(_ fault: AvahiFault, now: Duration) -> [AvahiAction] {
        let pause = min(Self.pauseFirst * (1 << min(failures, 10)), Self.pauseMax)
        link = .idle(until: now + pause, fault)
        failures += 1
        isBrowsing = false
        placements = [:]
        return [.disconnect] + change { $0.clear() }
    }

    private mutating func refused(
        _ interface: UInt32, _ fault: AvahiFault, now: Duration
    ) -> [AvahiAction] {
        guard placements[interface] != nil else { return [] }
        if fault == .nameTaken { attempt += 1 }
        if fault == .nameTaken, attempt % Self.namesMax != 0 {
            return withdrawAll() + announceWhereDue(now: now)
        }
        placements[interface] = .refused(fault, until: now + Self.refusedPause)
        return [.withdraw(interface: interface)]
    }

    // MARK: - Announcing

    /// Announces on the interfaces that need it, and withdraws from interfaces that are gone.
    private mutating func announceWhereDue(now: Duration) -> [AvahiAction] {
        guard case .ready = link else { return [] }
        var actions: [AvahiAction] = []
        for interface in placements.keys.sorted() where !usable.contains(interface) {
            placements[interface] = nil
            actions.append(.withdraw(interface: interface))
        }
        for interface in usable where placements[interface]?.isDue(now) ?? true {
            placements[interface] = .pending
            actions.append(.announce(announcement, instance: instance, interface: interface))
        }
        return actions
    }

    private mutating func withdrawAll() -> [AvahiAction] {
        defer { placements = [:] }
        return placements.keys.sorted().map { .withdraw(interface: $0) }
    }

    /// Changes the table first and reads it afterwards, because the actions contain its new
    /// content.
    private mutating func change(
        _ body: (inout SightingTable) -> [SightingTable.Effect]
    ) -> [AvahiAction] {
        let effects = body(&table)
        return effects.map { effect in
            switch effect {
            case .ask(let key): .ask(key)
            case .stopAsking(let key): .stopAsking(key)
            case .changed(let instance):
                .show(table.sighting(of: instance), instance: instance)
            case .browseAgain: .browse
            }
        }
    }
}

extension AvahiSession.Placement {
    fileprivate var isUp: Bool {
        if case .refused = self { false } else { true }
    }

    fileprivate func isDue(_ now: Duration) -> Bool {
        if case .refused(_, let until) = self { until <= now } else { false }
    }
}

/// What to do about what the daemon says, as a value: no thread, pointer, clock or network inside.
/// Its owner does the actions in order and reports one that failed as the matching signal.
struct AvahiSession {
    /// The first pause before connecting again, doubled each time up to the second. The first is
    /// short because a daemon that restarts is back in a moment.
    static let pauseFirst = Duration.milliseconds(250)
    static let pauseMax = Duration.seconds(30)
    /// How long a refused announcement rests before it is tried again.
    static let refusedPause = Duration.seconds(60)
    /// Names tried without a pause when each is taken: more than that is somebody's game.
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
        case standing
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

    /// How discovery is doing.
    var state: DiscoveryState {
        switch link {
        case .idle(_, let fault): hasConnected ? Self.state(of: fault) : .starting
        case .waiting: .noDaemon
        case .connecting, .busy: .starting
        case .ready: announcingState
        }
    }

    /// When ``tick(now:interfaces:)`` has something to do that does not wait for its usual turn;
    /// far away where it has nothing.
    var nextConnection: Duration {
        if case .idle(let until, _) = link { until } else { .seconds(Int64.max) }
    }

    private var instance: String { announcement.instanceName(attempt: attempt) }

    private var announcingState: DiscoveryState {
        if usable.isEmpty { return .noInterface }
        var refusal: AvahiFault?
        for placement in placements.values {
            switch placement {
            case .standing:
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
        case .nameTaken: .failed(reason: "every name tried is taken")
        case .refused(let reason): .failed(reason: reason)
        }
    }

    // MARK: - What comes from this side

    /// Looks at the time and at the interfaces of this host.
    mutating func tick(now: Duration, interfaces: [NetworkInterface]) -> [AvahiAction] {
        usable = interfaces.filter { $0.isUsable(leavingOut: patterns) }
            .prefix(DiscoveryLimits.interfacesMax).map(\.index)
        switch link {
        case .idle(let until, _) where until <= now:
            link = .connecting
            hasConnected = true
            return [.connect]
        case .ready: return place(now: now) + change { $0.tick(now: now) }
        case .idle, .connecting, .waiting, .busy: return []
        }
    }

    /// Announces something else from now on.
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
        return withdrawAll() + place(now: now)
    }

    // MARK: - What comes from the daemon

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
            if placements[interface] != nil { placements[interface] = .standing }
            return []
        case .announcementRefused(let interface, instance, let fault):
            return refused(interface, fault, now: now)
        // Said about a name that was given up meanwhile.
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
        return browse + place(now: now)
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
            return withdrawAll() + place(now: now)
        }
        placements[interface] = .refused(fault, until: now + Self.refusedPause)
        return [.withdraw(interface: interface)]
    }

    // MARK: - Placing the announcement

    /// Announces where that is still to be done and takes back where the interface is gone.
    private mutating func place(now: Duration) -> [AvahiAction] {
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

    /// Changes the table first and looks at it afterwards, since the actions show what it says.
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

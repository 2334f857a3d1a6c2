internal import Discovery
internal import Links
internal import Records
internal import Synchronization
internal import TestSupport

/// A LAN in memory: its listeners, announcements, divisions and delays.
final class SimulatedNetwork: Sendable {
    /// The delays and losses of frames.
    struct Weather: Sendable {
        var latency = Duration.milliseconds(1) ... .milliseconds(20)
    }

    private struct State {
        var generator: SeededGenerator
        var weather = Weather()
        var listeners: [Place: SimulatedArrivals] = [:]
        var places: [LinkAddress: Place] = [:]
        var wires: [Wire] = []
        var nextWire = 0
        /// The pairs of positions between which no frame gets through, each in one direction.
        var blocked: Set<[Int]> = []
        var frameCounts: [Int: Int] = [:]
        var announcements: [Place: Sighting] = [:]
        var observers: [Place: SimulatedDiscovery] = [:]
        /// The positions whose announcements have changed since an observer saw all of them; an
        /// observer without an entry must see all.
        var unseen: [Place: Set<Place>] = [:]
        /// The positions whose sightings are about to be reported.
        var looking: Set<Place> = []
        /// The positions of forged announcements.
        var forged: Set<Place> = []
        var dials: [Dials: Int] = [:]
        var watcher: (@Sendable (Frame, Place) -> Void)?
    }

    /// The dials from one position in one minute, for one expected device or in all.
    private struct Dials: Hashable {
        let place: Place
        let minute: Int64
        let device: DeviceID?
    }

    let time: VirtualTime
    let trace: EventTrace
    private let state: Mutex<State>

    init(seed: UInt64, time: VirtualTime, trace: EventTrace) {
        self.time = time
        self.trace = trace
        state = Mutex(State(generator: SeededGenerator(seed: seed)))
    }

    // MARK: - Weather

    /// Returns the delay of the next frame.
    func latency() -> Duration {
        state.withLock { state in
            state.generator.duration(state.weather.latency)
        }
    }

    /// Changes the delays of later frames.
    func setWeather(_ weather: Weather) { state.withLock { $0.weather = weather } }

    /// Whether frames get from one position to another.
    func isOpen(from one: Place, to other: Place) -> Bool {
        state.withLock { state in
            state.blocked.isEmpty || !state.blocked.contains([one.number, other.number])
        }
    }

    private func isOpenBothWays(_ one: Place, _ other: Place) -> Bool {
        isOpen(from: one, to: other) && isOpen(from: other, to: one)
    }

    /// Blocks the directions between pairs of positions; an empty set restores the whole network.
    func partition(_ blocked: Set<[Int]>) {
        let wires = state.withLock { state in
            (state.blocked, state.unseen) = (blocked, [:])
            return state.wires
        }
        for wire in wires where !wire.isOver {
            if isOpenBothWays(wire.places[0], wire.places[1]) {
                for end in [Wire.End.dialler, .listener] { wire.deliver(from: end) }
            } else {
                watchSilence(of: wire)
            }
        }
        refreshSightings()
    }

    /// Ends a link at both ends if nothing arrives for too long.
    private func watchSilence(of wire: Wire) {
        time.after(LinkTimes().silence) { [weak self, weak wire] in
            guard let self, let wire, !wire.isOver,
                !isOpenBothWays(wire.places[0], wire.places[1])
            else { return }
            for end in [Wire.End.dialler, .listener] { wire.end(end, .silent) }
        }
    }

    // MARK: - Links

    /// Starts to listen at a position.
    func listen(_ arrivals: SimulatedArrivals) {
        state.withLock { state in
            state.listeners[arrivals.place] = arrivals
            state.places[arrivals.place.address] = arrivals.place
        }
    }

    /// Stops listening at a position.
    func stopListening(_ arrivals: SimulatedArrivals) {
        state.withLock { state in
            guard state.listeners[arrivals.place] === arrivals else { return }
            state.listeners[arrivals.place] = nil
        }
    }

    /// Connects to the listener at an address.
    func connect(
        from dialler: SimulatedTransport, to address: LinkAddress, _ expecting: DeviceID?
    ) async throws(LinkFault) -> SimulatedLink {
        countDial(from: dialler.place, expecting)
        await pause(latency() + latency())
        let listener = state.withLock { state in
            state.places[address].flatMap { state.listeners[$0] }
        }
        guard let listener else { throw .cannotConnect("no listener") }
        guard isOpenBothWays(dialler.place, listener.place) else {
            await pause(LinkTimes().connect)
            throw .cannotConnect("no route")
        }
        await pause(latency() + latency())
        guard listener.place != dialler.place else { throw .ownDevice }
        let found = listener.transport.device
        if let expecting, expecting != found {
            throw .wrongDevice(expected: expecting, found: found)
        }
        return try join(dialler, listener)
    }

    private func countDial(from place: Place, _ expecting: DeviceID?) {
        let minute = time.milliseconds / 60_000
        state.withLock { state in
            state.dials[Dials(place: place, minute: minute, device: nil), default: 0] += 1
            guard let expecting else { return }
            state.dials[Dials(place: place, minute: minute, device: expecting), default: 0] += 1
        }
    }

    /// The highest numbers of dials in a minute from one position.
    struct BusiestMinutes {
        let inAll, forOneDevice, forStrangers: Int
    }

    /// Returns the highest numbers of dials in a minute since the last call.
    func drainBusiestMinutes(strangers: Set<DeviceID>) -> BusiestMinutes {
        let current = time.milliseconds / 60_000
        return state.withLock { state in
            var (inAll, forOneDevice, forStrangers) = (0, 0, [Dials: Int]())
            for (dials, count) in state.dials {
                guard let device = dials.device else {
                    inAll = max(inAll, count)
                    continue
                }
                forOneDevice = max(forOneDevice, count)
                guard strangers.contains(device) else { continue }
                let minute = Dials(place: dials.place, minute: dials.minute, device: nil)
                forStrangers[minute, default: 0] += count
            }
            state.dials = state.dials.filter { $0.key.minute == current }
            return BusiestMinutes(
                inAll: inAll, forOneDevice: forOneDevice,
                forStrangers: forStrangers.values.max() ?? 0)
        }
    }

    private func join(
        _ dialler: SimulatedTransport, _ listener: SimulatedArrivals
    ) throws(LinkFault) -> SimulatedLink {
        let wire = state.withLock { state -> Wire? in
            guard state.listeners[listener.place] === listener else { return nil }
            state.nextWire += 1
            let wire = Wire(
                number: state.nextWire, from: dialler, to: listener.transport, in: self)
            if state.nextWire % Self.sweepEvery == 0 { state.wires.removeAll(where: \.isOver) }
            state.wires.append(wire)
            return wire
        }
        guard let wire else { throw .cannotConnect("the listener has stopped") }
        trace.record("wire \(wire.number) from \(dialler.place.name) to \(listener.place.name)")
        listener.arrive(SimulatedLink(wire: wire, end: .listener))
        return SimulatedLink(wire: wire, end: .dialler)
    }

    /// The number of new wires after which those that are over are forgotten.
    private static let sweepEvery = 256

    /// Waits, even if the task is cancelled, because a network does not know about tasks.
    private func pause(_ duration: Duration) async { try? await time.sleep(for: duration) }

    /// The open wires in the order of their creation.
    var wires: [Wire] { state.withLock { $0.wires }.filter(\.isWhole) }

    /// Counts a received frame.
    func arrived(_ frame: Frame, over wire: Wire, at place: Place) {
        state.withLock { $0.frameCounts[place.number, default: 0] += 1 }
        trace.record("\(frame.type) over \(wire.number) at \(place.name)", frame.payload)
    }

    /// Passes every sent frame and its position to an observer.
    func watch(_ watcher: @escaping @Sendable (Frame, Place) -> Void) {
        state.withLock { $0.watcher = watcher }
    }

    /// Passes a sent frame to the observers.
    func departs(_ frame: Frame, from place: Place) {
        state.withLock { $0.watcher }?(frame, place)
    }

    /// The number of frames that each position received.
    var frameCounts: [Int: Int] { state.withLock { $0.frameCounts } }

    /// Removes the host at a position: its links end there at once. The other ends notice at once
    /// if its system says goodbye, otherwise by the silence.
    func drop(_ place: Place, saysGoodbye: Bool) {
        let wires = wires.filter { $0.places.contains(place) }
        state.withLock { $0.listeners[place] = nil }
        for wire in wires {
            let end: Wire.End = wire.places[0] == place ? .dialler : .listener
            wire.end(end, .connectionLost("this host is gone"))
            let notice = saysGoodbye ? latency() : LinkTimes().silence
            time.after(notice) { wire.end(end.other, saysGoodbye ? .closed : .silent) }
        }
        time.after(Self.announcementLife) { [weak self] in self?.expire(place) }
    }

    // MARK: - Announcements

    /// The time for which the announcement of a removed host remains visible.
    private static let announcementLife: Duration = .seconds(120)

    private func expire(_ place: Place) {
        guard state.withLock({ $0.listeners[place] == nil }) else { return }
        announce(nil, at: place)
    }

    /// Changes or removes the announcement of a position.
    func announce(_ announcement: Announcement?, at place: Place) {
        let sighting = announcement.flatMap { Self.sighting(of: $0, at: place) }
        state.withLock { state in
            state.announcements[place] = sighting
            for observer in state.unseen.keys { state.unseen[observer]?.insert(place) }
        }
        trace.record("\(place.name) announces \(announcement?.tag.description ?? "nothing")")
        refreshSightings()
    }

    /// Returns what a position announces; nil if nothing.
    func announcement(at place: Place) -> Announcement? {
        state.withLock { $0.announcements[place]?.announcement }
    }

    /// Returns all announcements except forged ones, by their positions.
    var announcements: [(place: Place, announcement: Announcement)] {
        state.withLock { state in
            state.announcements.filter { !state.forged.contains($0.key) }
                .compactMap { place, sighting in
                    sighting.announcement.map { (place: place, announcement: $0) }
                }
        }.sorted { $0.place.number < $1.place.number }
    }

    /// Announces what a position announces under many other names, each with its own addresses.
    func forge(_ addresses: [[LinkAddress]], as place: Place) {
        state.withLock { state in
            guard let announcement = state.announcements[place]?.announcement else { return }
            for (number, addresses) in addresses.enumerated() {
                let endpoints = addresses.compactMap { Endpoint($0.description) }
                let position = Place(number: Self.firstForged + number)
                state.announcements[position] = Sighting(
                    instance: "waggle-forged-\(number)", announcement: announcement,
                    endpoints: endpoints)
                state.forged.insert(position)
            }
            state.unseen = [:]
        }
        trace.record("\(addresses.count) announcements repeat that of \(place.name)")
        refreshSightings()
    }

    /// Ends all forged announcements.
    func withdrawForged() {
        let count = state.withLock { state in
            defer { (state.forged, state.unseen) = ([], [:]) }
            for position in state.forged { state.announcements[position] = nil }
            return state.forged.count
        }
        guard count > 0 else { return }
        trace.record("\(count) forged announcements end")
        refreshSightings()
    }

    /// The first position of forged announcements, above those of all nodes.
    private static let firstForged = 10_000

    private static func sighting(of announcement: Announcement, at place: Place) -> Sighting? {
        guard let endpoint = Endpoint(place.address.description) else { return nil }
        return Sighting(
            instance: SimulatedDiscovery.instance(announcement), announcement: announcement,
            endpoints: [endpoint])
    }

    /// Sets or removes the observer of a position.
    func observe(_ discovery: SimulatedDiscovery?, at place: Place) {
        state.withLock { state in
            state.observers[place] = discovery
            state.unseen[place] = nil
        }
        refreshSightings()
    }

    /// Reports the present sightings to every observer, a moment later.
    private func refreshSightings() {
        let observing = state.withLock { state in
            let places = state.observers.keys.filter { state.looking.insert($0).inserted }
            return places.sorted { $0.number < $1.number }
        }
        for place in observing {
            time.after(latency()) { [weak self] in self?.look(from: place) }
        }
    }

    private func look(from place: Place) {
        if let (observer, changes) = state.withLock({ Self.changes(for: place, &$0) }) {
            return observer.show(changes: changes)
        }
        let (observer, truths, isWhole) = state.withLock { state in
            state.looking.remove(place)
            if state.blocked.isEmpty { state.unseen[place] = [] }
            let truths = state.announcements.lazy.filter { $0.key != place }
            return (state.observers[place], Array(truths), state.blocked.isEmpty)
        }
        guard !isWhole else { return observer?.show(truths, keeping: []) ?? () }
        let hidden = truths.map(\.key).filter { !isOpen(from: $0, to: place) }
        observer?.show(
            truths.filter { !hidden.contains($0.key) }, keeping: Set(hidden.map(\.number)))
    }

    /// Takes what changed since an observer saw all announcements; nil if it must see all of them.
    private static func changes(
        for place: Place, _ state: inout State
    ) -> (SimulatedDiscovery, [(Place, Sighting?)])? {
        guard state.blocked.isEmpty, let unseen = state.unseen[place],
            let observer = state.observers[place]
        else { return nil }
        state.looking.remove(place)
        state.unseen[place] = []
        return (
            observer,
            unseen.filter { $0 != place }.sorted { $0.number < $1.number }.map {
                ($0, state.announcements[$0])
            }
        )
    }
}

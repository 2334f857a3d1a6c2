internal import Discovery
internal import Links
internal import Synchronization

/// The announcements on the simulated network that one run of a node sees.
final class SimulatedDiscovery: Discovery {
    let events: AsyncStream<DiscoveryEvent>
    private let inlet: AsyncStream<DiscoveryEvent>.Continuation
    private let place: Place
    private let network: SimulatedNetwork
    private let told = Mutex<[Int: Sighting]>([:])
    private let dead = Mutex(false)

    init(place: Place, network: SimulatedNetwork) {
        self.place = place
        self.network = network
        (events, inlet) = AsyncStream.makeStream()
    }

    func start(announcing announcement: Announcement) {
        inlet.yield(.stateChanged(.announcing(instance: Self.instance(announcement))))
        network.announce(announcement, at: place)
        network.observe(self, at: place)
    }

    func update(_ announcement: Announcement) {
        guard !dead.withLock({ $0 }) else { return }
        network.announce(announcement, at: place)
    }

    func stop() async {
        guard !dead.withLock({ $0 }) else { return }
        kill()
        network.announce(nil, at: place)
    }

    /// Ends the run: it sees nothing more, and its announcement remains for a while.
    func kill() {
        dead.withLock { $0 = true }
        network.observe(nil, at: place)
        inlet.finish()
    }

    /// Reports the changes since the last call.
    /// - Parameter hidden: positions from which nothing is received now; their sightings remain.
    func show(_ visible: [(key: Place, value: Sighting)], keeping hidden: Set<Int>) {
        let events = told.withLock { told in
            var events: [DiscoveryEvent] = []
            let changed = visible.filter { told[$0.key.number] != $0.value }
            for (place, sighting) in changed.sorted(by: { $0.key.number < $1.key.number }) {
                Self.show(sighting, at: place, &told, &events)
            }
            let gone = Set(told.keys).subtracting(visible.map(\.key.number)).subtracting(hidden)
            for number in gone.sorted() {
                guard let old = told.removeValue(forKey: number) else { continue }
                events.append(.disappeared(instance: old.instance))
            }
            return events
        }
        for event in events { inlet.yield(event) }
    }

    /// Reports the changes at some positions, in their order; nil for an announcement that ended.
    func show(changes: [(Place, Sighting?)]) {
        let events = told.withLock { told in
            var events: [DiscoveryEvent] = []
            for case (let place, let sighting?) in changes where told[place.number] != sighting {
                Self.show(sighting, at: place, &told, &events)
            }
            for case (let place, nil) in changes {
                guard let old = told.removeValue(forKey: place.number) else { continue }
                events.append(.disappeared(instance: old.instance))
            }
            return events
        }
        for event in events { inlet.yield(event) }
    }

    private static func show(
        _ sighting: Sighting, at place: Place, _ told: inout [Int: Sighting],
        _ events: inout [DiscoveryEvent]
    ) {
        let old = told.updateValue(sighting, forKey: place.number)
        if let old, old.instance != sighting.instance {
            events.append(.disappeared(instance: old.instance))
        }
        let isNew = old?.instance != sighting.instance
        events.append(isNew ? .appeared(sighting) : .changed(sighting))
    }

    /// Returns the instance name of an announcement.
    static func instance(_ announcement: Announcement) -> String {
        "waggle-\(announcement.tag)"
    }
}

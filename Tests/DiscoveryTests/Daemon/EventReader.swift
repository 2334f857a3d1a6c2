import Discovery

/// Reads events until one matches.
struct EventReader {
    private var events: AsyncStream<DiscoveryEvent>.Iterator

    init(_ discovery: any Discovery) {
        events = discovery.events.makeAsyncIterator()
    }

    /// Returns the first value made from an event; nil if the events end before.
    mutating func first<Value>(_ value: (DiscoveryEvent) -> Value?) async -> Value? {
        while let event = await events.next(isolation: #isolation) {
            if let value = value(event) { return value }
        }
        return nil
    }

    /// Whether this state is reached.
    mutating func reaches(_ state: DiscoveryState) async -> Bool {
        await first { $0 == .stateChanged(state) ? true : nil } ?? false
    }

    /// Returns the first new or changed sighting that matches.
    mutating func sighting(where isMatch: (Sighting) -> Bool) async -> Sighting? {
        await first { event in
            switch event {
            case .appeared(let sighting), .changed(let sighting):
                isMatch(sighting) ? sighting : nil
            case .disappeared, .stateChanged: nil
            }
        }
    }

    /// Whether an instance disappears.
    mutating func loses(_ instance: String) async -> Bool {
        await first { $0 == .disappeared(instance: instance) ? true : nil } ?? false
    }
}

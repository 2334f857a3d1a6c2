import Synchronization

/// Discovery by addresses that a person entered. Each address is a sighting without an
/// announcement. Nothing is sent on the network.
public final class FixedAddresses: Discovery {
    private let feed = SightingFeed()
    private let list: Mutex<[Endpoint]>

    /// The entered addresses as sightings; see ``Discovery/events``.
    public let events: AsyncStream<DiscoveryEvent>

    /// Creates discovery with stored addresses. Duplicates are ignored, as are addresses above
    /// ``DiscoveryLimits/sightingsMax``.
    public init(_ endpoints: [Endpoint] = []) {
        events = feed.events
        list = Mutex([])
        for endpoint in endpoints { add(endpoint) }
    }

    /// The addresses in the order of their addition.
    public var endpoints: [Endpoint] { list.withLock { $0 } }

    /// Adds an address.
    /// - Returns: false if the address exists already or the list is full.
    @discardableResult
    public func add(_ endpoint: Endpoint) -> Bool {
        list.withLock { list in
            guard list.count < DiscoveryLimits.sightingsMax, !list.contains(endpoint) else {
                return false
            }
            list.append(endpoint)
            let instance = endpoint.description
            feed.set(
                Sighting(instance: instance, announcement: nil, endpoints: [endpoint]),
                for: instance)
            return true
        }
    }

    /// Removes an address.
    /// - Returns: false if the address is not listed.
    @discardableResult
    public func remove(_ endpoint: Endpoint) -> Bool {
        list.withLock { list in
            guard let position = list.firstIndex(of: endpoint) else { return false }
            list.remove(at: position)
            feed.set(nil, for: endpoint.description)
            return true
        }
    }

    /// Changes the state to quiet. Nothing is announced.
    public func start(announcing announcement: Announcement) {
        feed.set(.quiet)
    }

    /// Does nothing, because nothing is announced.
    public func update(_ announcement: Announcement) {}

    /// Ends the events.
    public func stop() async {
        feed.set(.stopped)
        feed.finish()
    }
}

import Synchronization

/// Discovery by addresses that somebody typed: each is a sighting with no announcement. Nothing is
/// sent on the network.
public final class FixedAddresses: Discovery {
    private let feed = SightingFeed()
    private let list: Mutex<[Endpoint]>

    /// The typed addresses as sightings; see ``Discovery/events``.
    public let events: AsyncStream<DiscoveryEvent>

    /// Starts with the addresses that were kept from before; one listed twice counts once, and the
    /// list ends at ``DiscoveryLimits/sightingsMax``.
    public init(_ endpoints: [Endpoint] = []) {
        events = feed.events
        list = Mutex([])
        for endpoint in endpoints { add(endpoint) }
    }

    /// The addresses in the order in which they were added.
    public var endpoints: [Endpoint] { list.withLock { $0 } }

    /// Adds an address.
    /// - Returns: false where it is listed already or the list is full.
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
    /// - Returns: false where it is not listed.
    @discardableResult
    public func remove(_ endpoint: Endpoint) -> Bool {
        list.withLock { list in
            guard let position = list.firstIndex(of: endpoint) else { return false }
            list.remove(at: position)
            feed.set(nil, for: endpoint.description)
            return true
        }
    }

    /// There is nothing to announce to: only the state changes.
    public func start(announcing announcement: Announcement) {
        feed.set(.quiet)
    }

    /// There is nothing to announce to.
    public func update(_ announcement: Announcement) {}

    /// Ends the events.
    public func stop() async {
        feed.set(.stopped)
        feed.finish()
    }
}

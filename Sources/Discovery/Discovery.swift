/// An event of discovery. Events about one instance arrive in order. Several changes that were not
/// read yet are combined into their result, so a slow reader misses nothing that still matters.
public enum DiscoveryEvent: Hashable, Sendable {
    /// A device was found.
    case appeared(Sighting)
    /// A found device has another announcement or other endpoints.
    case changed(Sighting)
    /// A device is no longer seen.
    case disappeared(instance: String)
    /// The state of discovery changed.
    case stateChanged(DiscoveryState)
}

/// A way to find other nodes and to be found. A sighting says that a device with this tag may be at
/// these addresses; only dialling shows whether it is true.
public protocol Discovery: Sendable {
    /// The events, for one reader; they end after ``stop()``. At most
    /// ``DiscoveryLimits/sightingsMax`` sightings exist at a time.
    var events: AsyncStream<DiscoveryEvent> { get }

    /// Starts to search for others and to announce this node. Further calls have no effect.
    func start(announcing announcement: Announcement)

    /// Changes the announcement. It stays visible without a gap if tag and port stay the same.
    func update(_ announcement: Announcement)

    /// Withdraws the announcement and ends discovery; returns when this is done. It cannot be
    /// restarted.
    func stop() async
}

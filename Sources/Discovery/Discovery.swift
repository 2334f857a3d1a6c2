/// What discovery tells. Events about one instance come in order; of several changes that were not
/// read yet only the outcome is told, so a slow reader misses nothing that still matters.
public enum DiscoveryEvent: Hashable, Sendable {
    case appeared(Sighting)
    case changed(Sighting)
    case disappeared(instance: String)
    case stateChanged(DiscoveryState)
}

/// A way to find other nodes and to be found. It says "a device with this tag may be at these
/// addresses"; whoever dials finds out whether it is true.
public protocol Discovery: Sendable {
    /// What is found, for one reader; it ends after ``stop()``. At most
    /// ``DiscoveryLimits/sightingsMax`` sightings stand at a time.
    var events: AsyncStream<DiscoveryEvent> { get }

    /// Begins to look for others and to announce this node. Calling it again changes nothing.
    func start(announcing announcement: Announcement)

    /// Changes what is announced, with no gap where tag and port stay the same.
    func update(_ announcement: Announcement)

    /// Takes the announcement back and ends; returns when that is done. There is no second start.
    func stop() async
}

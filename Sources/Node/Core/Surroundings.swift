package import Discovery
package import Links
package import Location
package import Logging
package import Notifications
package import PluginKit
package import Replica

/// The node's interface to the outside world, injected so that a simulation can supply its own.
package struct Surroundings: Sendable {
    /// The transport that opens links.
    package let transport: any Transport
    /// Discovers others and announces this node; nil if it is not announced.
    package let discovery: (any Discovery)?
    /// The system's clocks, uncorrected.
    package let clock: any NodeClock
    package let random: any RandomSource
    /// Asks the receiver whose service listens at a host and port.
    package let receiver: @Sendable (_ host: String, _ port: Int) -> any LocationSource
    /// The provider of measured distances that this device has; nil without one.
    package let ranging: (any RangingSource)?
    /// Reads pictures that the person chose.
    package let photos: any PhotoAccess
    /// The server of notices on the desktop; nil if none are shown.
    package let desktop: (any NoticeServer)?
    /// The executor of the replica's work; nil for the replica's own queues.
    package let replicaExecutor: (any SerialExecutor)?
    /// Knows how much is free on the home's disk.
    package let diskSpace: any DiskSpace
    package let logger: Logger

    /// Creates surroundings from their parts.
    package init(
        transport: any Transport, discovery: (any Discovery)?, clock: any NodeClock,
        random: any RandomSource,
        receiver: @escaping @Sendable (_ host: String, _ port: Int) -> any LocationSource,
        ranging: (any RangingSource)? = nil, photos: any PhotoAccess,
        desktop: (any NoticeServer)? = nil,
        replicaExecutor: (any SerialExecutor)? = nil,
        diskSpace: any DiskSpace = FileSystem(), logger: Logger
    ) {
        self.transport = transport
        self.discovery = discovery
        self.clock = clock
        self.random = random
        self.receiver = receiver
        self.ranging = ranging
        self.photos = photos
        self.desktop = desktop
        self.replicaExecutor = replicaExecutor
        self.diskSpace = diskSpace
        self.logger = logger
    }
}

/// Adapts a source of random bytes to a random number generator.
struct RandomNumbers: RandomNumberGenerator, Sendable {
    let source: any RandomSource

    func next() -> UInt64 { source.bytes(8).reduce(0) { $0 << 8 | UInt64($1) } }
}

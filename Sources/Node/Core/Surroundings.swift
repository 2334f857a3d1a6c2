package import Discovery
package import Links
package import Location
package import Logging
package import PluginKit

/// What of the world a node touches, handed in: a simulation hands in a world of its own.
package struct Surroundings: Sendable {
    /// Makes the links.
    package let transport: any Transport
    /// Looks for others and announces this node; nil where it is not to be announced.
    package let discovery: (any Discovery)?
    /// The system's clocks, not corrected.
    package let clock: any NodeClock
    package let random: any RandomSource
    /// Asks the receiver whose service listens at a host and port.
    package let receiver: @Sendable (_ host: String, _ port: Int) -> any LocationSource
    /// What the replica's work runs on; nil for queues of its own.
    package let replicaExecutor: (any SerialExecutor)?
    package let logger: Logger

    /// Joins the parts.
    package init(
        transport: any Transport, discovery: (any Discovery)?, clock: any NodeClock,
        random: any RandomSource,
        receiver: @escaping @Sendable (_ host: String, _ port: Int) -> any LocationSource,
        replicaExecutor: (any SerialExecutor)? = nil, logger: Logger
    ) {
        self.transport = transport
        self.discovery = discovery
        self.clock = clock
        self.random = random
        self.receiver = receiver
        self.replicaExecutor = replicaExecutor
        self.logger = logger
    }
}

/// A source of random bytes where a generator of numbers is asked for.
struct RandomNumbers: RandomNumberGenerator, Sendable {
    let source: any RandomSource

    func next() -> UInt64 { source.bytes(8).reduce(0) { $0 << 8 | UInt64($1) } }
}

internal import PluginKit
internal import Synchronization

/// The clocks of one device: a wall clock that may be wrong and jump, and an uptime that is right.
final class SimulatedClock: NodeClock {
    /// The start time of simulations.
    static let beginning = Timestamp(milliseconds: 1_900_000_000_000)

    private let time: VirtualTime
    private let begun: Duration
    private let skew: ClockSkew

    /// Creates the clocks of one run of a device. They end with the run, but the skew remains.
    init(_ time: VirtualTime, skew: ClockSkew) {
        self.time = time
        self.skew = skew
        begun = time.now
    }

    var wallTime: Timestamp {
        Self.beginning + .milliseconds(time.milliseconds) + skew.duration
    }

    var uptime: Duration { time.now - begun }

    func sleep(for duration: Duration) async throws { try await time.sleep(for: duration) }
}

/// The error of a device's wall clock.
final class ClockSkew: Sendable {
    private let value = Mutex(Duration.zero)

    /// The error; positive if the clock is ahead.
    var duration: Duration {
        get { value.withLock { $0 } }
        set { value.withLock { $0 = newValue } }
    }
}

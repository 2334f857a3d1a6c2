internal import PluginKit
internal import Synchronization

/// One device's own clocks: a wall clock that may be wrong and jump, an uptime that does not.
final class SimulatedClock: NodeClock {
    /// When simulations begin, in milliseconds since 1970.
    static let beginning: Int64 = 1_900_000_000_000

    private let time: VirtualTime
    private let begun: Duration
    private let skew: ClockSkew

    /// The clocks of one run of a device, which outlive no crash; the skew does.
    init(_ time: VirtualTime, skew: ClockSkew) {
        self.time = time
        self.skew = skew
        begun = time.now
    }

    var wallMilliseconds: Int64 {
        Self.beginning + time.milliseconds + skew.milliseconds
    }

    var uptime: Duration { time.now - begun }

    func sleep(for duration: Duration) async throws { try await time.sleep(for: duration) }
}

/// How far a device's wall clock is off.
final class ClockSkew: Sendable {
    private let value = Mutex<Int64>(0)

    /// In milliseconds; ahead is positive.
    var milliseconds: Int64 {
        get { value.withLock { $0 } }
        set { value.withLock { $0 = newValue } }
    }
}

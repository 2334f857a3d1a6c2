internal import PluginKit
internal import Synchronization

/// A node's clocks: the system's, with the wall clock corrected by the clocks of linked peers.
final class CorrectedClock: NodeClock {
    private let system: any NodeClock
    private let correction = Mutex<Duration>(.zero)

    /// Creates an uncorrected clock.
    init(_ system: any NodeClock) { self.system = system }

    /// The system's own time, which HELLO contains.
    var systemTime: Timestamp { system.wallTime }

    var wallTime: Timestamp { systemTime + correction.withLock { $0 } }

    var uptime: Duration { system.uptime }

    func sleep(for duration: Duration) async throws { try await system.sleep(for: duration) }

    /// Corrects the wall clock by the median of the peers' offsets and its own offset of zero.
    func correct(byOffsets offsets: [Duration]) {
        let median = ClockOffset.median(offsets)
        correction.withLock { $0 = median }
    }
}

/// The offset of peers' clocks from this one.
public enum ClockOffset {
    /// Returns the median of offsets, including this device's own zero; of an even
    /// number, the mean of the middle two, so that two nodes meet half-way.
    public static func median(_ offsets: [Duration]) -> Duration {
        let sorted = (offsets + [.zero]).sorted()
        let middle = sorted.count / 2
        if !sorted.count.isMultiple(of: 2) { return sorted[middle] }
        return sorted[middle - 1] / 2 + sorted[middle] / 2
    }
}

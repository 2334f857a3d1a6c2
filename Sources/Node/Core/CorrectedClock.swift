internal import PluginKit
internal import Synchronization

/// A node's clocks: the system's, its wall clock corrected by what linked peers say of theirs.
final class CorrectedClock: NodeClock {
    private let system: any NodeClock
    private let correctionMilliseconds = Mutex<Int64>(0)

    /// The system's clocks without a correction.
    init(_ system: any NodeClock) { self.system = system }

    /// The system's own time, in milliseconds since 1970; what HELLO says.
    var systemMilliseconds: Int64 { system.wallMilliseconds }

    var wallMilliseconds: Int64 {
        systemMilliseconds + correctionMilliseconds.withLock { $0 }
    }

    var uptime: Duration { system.uptime }

    func sleep(for duration: Duration) async throws { try await system.sleep(for: duration) }

    /// Corrects the wall clock by the median of the peers' offsets and its own, which is zero.
    func correct(byOffsets offsets: [Int64]) {
        let correction = ClockOffset.median(offsets)
        correctionMilliseconds.withLock { $0 = correction }
    }
}

/// How far peers' clocks are from this one.
public enum ClockOffset {
    /// The median of offsets in milliseconds, with one's own zero among them; of an even number
    /// the mean of the middle two, so that two nodes meet half-way.
    public static func median(_ offsets: [Int64]) -> Int64 {
        let sorted = (offsets + [0]).sorted()
        let middle = sorted.count / 2
        if !sorted.count.isMultiple(of: 2) { return sorted[middle] }
        return sorted[middle - 1] / 2 + sorted[middle] / 2
    }
}

internal import Glibc
public import PluginKit
internal import Synchronization

/// The real clocks, the wall clock corrected by what linked peers say of theirs.
public final class SystemClock: NodeClock {
    private let start = ContinuousClock.now
    private let correctionMilliseconds = Mutex<Int64>(0)

    /// Clocks without a correction.
    public init() {}

    /// The system's own clock, in milliseconds since 1970; what HELLO says.
    public var systemMilliseconds: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    public var wallMilliseconds: Int64 {
        systemMilliseconds + correctionMilliseconds.withLock { $0 }
    }

    public var uptime: Duration { ContinuousClock.now - start }

    public func sleep(for duration: Duration) async throws {
        try await ContinuousClock().sleep(for: duration)
    }

    /// Corrects the wall clock by the median of the peers' offsets and its own, which is zero.
    /// - Returns: the correction in milliseconds.
    @discardableResult
    public func correct(byOffsets offsets: [Int64]) -> Int64 {
        let correction = ClockOffset.median(offsets)
        correctionMilliseconds.withLock { $0 = correction }
        return correction
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

/// The system's cryptographic randomness.
public struct SystemRandom: RandomSource {
    /// The source; it has no state.
    public init() {}

    public func bytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}

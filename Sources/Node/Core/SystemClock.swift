internal import Glibc
public import PluginKit

/// The system's clocks as they are; ``CorrectedClock`` is what a node goes by.
public struct SystemClock: NodeClock {
    private let start = ContinuousClock.now

    /// Clocks whose uptime begins now.
    public init() {}

    /// The system's own time, in milliseconds since 1970.
    public var wallMilliseconds: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    public var uptime: Duration { ContinuousClock.now - start }

    public func sleep(for duration: Duration) async throws {
        try await ContinuousClock().sleep(for: duration)
    }
}

internal import Glibc
public import PluginKit

/// The system's uncorrected clocks; a node uses ``CorrectedClock``.
public struct SystemClock: NodeClock {
    private let start = ContinuousClock.now

    /// Creates clocks whose uptime begins now.
    public init() {}

    /// The system's own time, in milliseconds since 1970.
    public var wallMilliseconds: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// Time since the system started.
    public var uptime: Duration { ContinuousClock.now - start }

    /// Waits for a duration.
    public func sleep(for duration: Duration) async throws {
        try await ContinuousClock().sleep(for: duration)
    }
}

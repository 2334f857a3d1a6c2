internal import Glibc
public import PluginKit

/// The system's uncorrected clocks; a node uses ``CorrectedClock``.
public struct SystemClock: NodeClock {
    private let start = ContinuousClock.now

    /// Creates clocks whose uptime begins now.
    public init() {}

    /// The system's own time.
    public var wallTime: Timestamp {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return .min + .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// Time since the system started.
    public var uptime: Duration { ContinuousClock.now - start }

    /// Waits for a duration.
    public func sleep(for duration: Duration) async throws {
        try await ContinuousClock().sleep(for: duration)
    }
}

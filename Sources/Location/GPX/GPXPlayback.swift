/// Plays a track as if this device were carried along it: each fix at its own distance in time from
/// the first, or that much faster. A fix keeps the time it was recorded with.
public struct GPXPlayback: LocationSource {
    /// The speeds at which a track can be played; 1 is its own pace.
    public static let speeds: ClosedRange<Double> = 0.1...3600

    private let track: GPXTrack
    private let speed: Double
    private let uptime: @Sendable () -> Duration
    private let sleep: @Sendable (Duration) async throws -> Void

    /// Prepares to play.
    /// - Parameters:
    ///   - speed: how many times faster than it was recorded, brought into ``speeds``.
    ///   - uptime: a clock that never goes back.
    ///   - sleep: waits this long, or throws when the task is cancelled.
    public init(
        _ track: GPXTrack, speed: Double = 1, uptime: @escaping @Sendable () -> Duration,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.track = track
        self.speed = min(max(speed, GPXPlayback.speeds.lowerBound), GPXPlayback.speeds.upperBound)
        self.uptime = uptime
        self.sleep = sleep
    }

    public func run(_ report: @Sendable (LocationReport) async -> Void) async throws {
        let began = uptime()
        guard let first = track.fixes.first?.atMs else { return }
        for fix in track.fixes {
            // Counted from the start, so that waiting a little long each time adds nothing up.
            let due = .milliseconds((fix.atMs ?? first) - first) / speed
            let left = began + due - uptime()
            try Task.checkCancellation()
            if left > .zero { try await sleep(left) }
            await report(.fix(fix))
        }
    }
}

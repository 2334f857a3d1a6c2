/// Plays a track as if this device were carried along it: each fix is reported at its own interval
/// after the first one, or faster. A fix keeps its recorded time.
public struct GPXPlayback: LocationSource {
    /// The speeds at which a track can be played; 1 is the recorded speed.
    public static let speeds: ClosedRange<Double> = 0.1...3600

    private let track: GPXTrack
    private let speed: Double
    private let uptime: @Sendable () -> Duration
    private let sleep: @Sendable (Duration) async throws -> Void

    /// Creates a playback.
    /// - Parameters:
    ///   - speed: the factor to the recorded pace, limited to ``speeds``.
    ///   - uptime: a clock that never goes backwards.
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

    /// Reports the fixes of the track in order, then returns.
    public func run(_ report: @Sendable (LocationReport) async -> Void) async throws {
        let began = uptime()
        guard let first = track.fixes.first?.at else { return }
        for fix in track.fixes {
            // The time is computed from the start, so that long sleeps do not add up.
            let due = ((fix.at ?? first) - first) / speed
            let left = began + due - uptime()
            try Task.checkCancellation()
            if left > .zero { try await sleep(left) }
            await report(.fix(fix))
        }
    }
}

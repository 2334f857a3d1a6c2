internal import PluginKit
internal import WalkLogAPI

/// A walk that one of a person's devices records, as far as the device confirmed and showed it. It
/// says what the device must show later, also after a crash.
///
/// For example, the device shows 10 points at 100 s and 12 points at 110 s, and its node is killed
/// at 112 s. What was shown until 107 s is on the disk, so after the restart the walk is
/// interrupted and has at least 10 points.
struct WalkRecording: Sendable {
    /// The time after which a point that was shown is on the disk.
    private static let writingMax = Duration.seconds(5)
    /// The part of the elapsed time that a crash may cost.
    private static let elapsedSecondsLostMax = 65
    /// The number of sights that are kept: enough for those of the last seconds of a run.
    private static let sightsCountMax = 8

    private struct Sight {
        let at: Duration
        let pointsCount: Int
        let elapsedSeconds: Int
    }

    /// The time of its beginning, as the device told it.
    let started: Timestamp
    private var state: WalkLogStatus.State
    /// The run of the node that was in this state.
    private var run: Int
    private var sights: [Sight] = []
    private var pointsCountMin = 0
    private var elapsedSecondsMin = 0

    /// Begins with what the device answered, or shows after an unknown result; nil if it records
    /// nothing.
    init?(_ status: WalkLogStatus, run: Int) {
        guard let walk = status.walk else { return nil }
        started = walk.startedMs
        state = status.state
        self.run = run
        settle(status, run: run)
    }

    /// Receives the state that a command led to. Of a recording that does not run, all is on the
    /// disk.
    mutating func settle(_ status: WalkLogStatus, run: Int) {
        guard let walk = status.walk else { return }
        (state, self.run, sights) = (status.state, run, [])
        guard state != .recording else { return }
        pointsCountMin = max(pointsCountMin, walk.measures.pointsCount.value)
        elapsedSecondsMin = max(elapsedSecondsMin, walk.measures.elapsedSeconds.value)
    }

    /// Compares what the device shows with what it must show, and remembers it.
    /// - Parameters:
    ///   - endOfRun: the time at which the node's run with this number ended; nil if it has not.
    /// - Returns: what is wrong; nil if nothing is.
    mutating func compare(
        _ status: WalkLogStatus, run: Int, now: Duration, endOfRun: (Int) -> Duration?
    ) -> String? {
        if run != self.run { endRun(at: endOfRun(self.run) ?? .zero, next: run) }
        guard let walk = status.walk else { return "lost the walk that it recorded" }
        let measures = walk.measures
        guard walk.startedMs == started else { return "records another walk than it began" }
        guard status.state == state else {
            return "has a recording that is \(status.state) and should be \(state)"
        }
        if let fault = shortage(measures) { return fault }
        sights =
            sights.suffix(Self.sightsCountMax - 1) + [
                Sight(
                    at: now, pointsCount: measures.pointsCount.value,
                    elapsedSeconds: measures.elapsedSeconds.value)
            ]
        return nil
    }

    /// Compares a walk that was finished with what the recording had.
    /// - Returns: what is wrong; nil if nothing is.
    func compare(finished walk: RecordedWalk, run: Int) -> String? {
        guard walk.startedMs == started else { return "kept another walk than it recorded" }
        var recording = self
        if run != self.run { recording.sights = [] }
        return recording.shortage(walk.measures)
    }

    /// Returns what is missing in comparison with what was shown in this run or is on the disk.
    private func shortage(_ measures: WalkMeasures) -> String? {
        let pointsCount = max(pointsCountMin, sights.last?.pointsCount ?? 0)
        guard measures.pointsCount.value >= pointsCount else {
            return "has \(measures.pointsCount) points of a recording that had \(pointsCount)"
        }
        let elapsed = max(elapsedSecondsMin, sights.last?.elapsedSeconds ?? 0)
        guard measures.elapsedSeconds.value >= elapsed else {
            return "has \(measures.elapsedSeconds) s of a recording that had \(elapsed) s"
        }
        return nil
    }

    /// Whether the node ended during the recording and the person has not decided yet.
    var isInterrupted: Bool { state == .interrupted }

    /// Follows the end of the run: what was shown early enough is on the disk.
    private mutating func endRun(at end: Duration, next: Int) {
        let stored = sights.last { $0.at <= end - Self.writingMax }
        pointsCountMin = max(pointsCountMin, stored?.pointsCount ?? 0)
        let elapsed = (sights.last?.elapsedSeconds ?? 0) - Self.elapsedSecondsLostMax
        elapsedSecondsMin = max(elapsedSecondsMin, elapsed)
        if state == .recording { state = .interrupted }
        (sights, run) = ([], next)
    }
}

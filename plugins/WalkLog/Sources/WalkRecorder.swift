internal import PluginKit

/// A walk that is being recorded: decides which fixes become points, and measures time and
/// distance. It has no clock and no disk.
///
/// Each change is returned as an entry for the journal. The recorder applies the entry itself, so a
/// recorder that is made of the journal after a crash has the same points and the same distance.
///
/// ```swift
/// var recorder = WalkRecorder(beginning, uptime: clock.uptime)
/// if let entry = recorder.receive(fix, uptime: clock.uptime, wallTime: clock.wallTime) {
///     journal.append(entry)
/// }
/// ```
///
/// For example, a person starts at uptime 100 s, pauses at 400 s, goes on at 1 000 s and finishes
/// at 1 300 s: 600 s have elapsed. The way from the last point before the pause to the first one
/// after it is not counted.
struct WalkRecorder: Hashable, Sendable {
    /// The state of a recording.
    enum State: Hashable, Sendable {
        /// Fixes become points.
        case recording
        /// The person paused it.
        case paused
        /// The node ended during the recording. The person says whether it goes on.
        case interrupted
    }

    let beginning: WalkBeginning
    private(set) var state: State
    /// The points, in the order of their recording.
    private(set) var points: [TrackPoint] = []
    /// The length of the way between the points.
    private(set) var distanceMetres = 0.0
    /// The time of the steps at a walker's speed.
    private(set) var moving = Duration.zero
    /// The number of fixes that were dropped because they are too far from the last point.
    private(set) var spikesCount = 0
    /// The time of the last entry.
    private(set) var lastEntry: Timestamp

    /// The elapsed time at ``countedSince``, or at the last entry if the recording is not running.
    private var counted = Duration.zero
    /// The uptime since which time elapses; nil while it does not.
    private var countedSince: Duration?
    /// The uptime of the last point; nil after an interruption.
    private var pointUptime: Duration?
    /// Whether the next point begins a segment.
    private var isSegmentDue = true

    /// Begins a recording.
    init(_ beginning: WalkBeginning, uptime: Duration) {
        self.beginning = beginning
        state = .recording
        lastEntry = beginning.started
        countedSince = uptime
    }

    /// The first entry of the journal.
    var begun: WalkEntry {
        WalkEntry(.begun(beginning), elapsed: .zero, at: beginning.started, spikesCount: 0)
    }

    /// Returns the time since the beginning without pauses, at most ``WalkLimits/elapsedMax``.
    func elapsed(uptime: Duration) -> Duration {
        min(counted + max(.zero, countedSince.map { uptime - $0 } ?? .zero), WalkLimits.elapsedMax)
    }

    /// Whether the walk is as long as a walk can be.
    func isFull(uptime: Duration) -> Bool { elapsed(uptime: uptime) >= WalkLimits.elapsedMax }

    /// Returns the time until the walk is as long as it can be; nil while no time elapses.
    func left(uptime: Duration) -> Duration? {
        countedSince.map { _ in WalkLimits.elapsedMax - elapsed(uptime: uptime) }
    }

    // MARK: - Changes

    /// Processes a fix.
    /// - Returns: the entry of a new point; nil if the fix becomes none: the recording does not run
    ///   or is full, the fix is inaccurate, too near to the last point, or a spike.
    mutating func receive(_ fix: Fix, uptime: Duration, wallTime: Timestamp) -> WalkEntry? {
        guard state == .recording, !isFull(uptime: uptime),
            points.count < WalkLimits.pointsCountMax,
            fix.accuracyMetres.map({ $0 <= WalkLimits.accuracyMetresMax }) ?? true
        else { return nil }
        let point = TrackPoint(fix.point, at: fix.at ?? wallTime, startsSegment: isSegmentDue)
        guard let last = points.last, !isSegmentDue else {
            return add(point, step: .zero, uptime: uptime, wallTime: wallTime)
        }
        let metres = last.point.distanceMetres(to: point.point)
        guard metres >= WalkLimits.stepMetresMin else { return nil }
        let step = step(from: last, to: point, uptime: uptime)
        guard metres <= WalkLimits.metresPerSecondMax * step.inSeconds else {
            spikesCount += 1
            return nil
        }
        return add(point, step: step, uptime: uptime, wallTime: wallTime)
    }

    /// Pauses the recording.
    /// - Returns: the entry; nil if it does not run.
    mutating func pause(uptime: Duration, wallTime: Timestamp) -> WalkEntry? {
        guard state == .recording else { return nil }
        return apply(entry(.paused, uptime: uptime, wallTime: wallTime), uptime: uptime)
    }

    /// Goes on after a pause or an interruption.
    /// - Returns: the entry; nil if it runs.
    mutating func resume(uptime: Duration, wallTime: Timestamp) -> WalkEntry? {
        guard state != .recording else { return nil }
        return apply(entry(.resumed, uptime: uptime, wallTime: wallTime), uptime: uptime)
    }

    /// Returns the entry that says that the recording goes on, for a recording without new points.
    mutating func stayAlive(uptime: Duration, wallTime: Timestamp) -> WalkEntry {
        apply(entry(.alive, uptime: uptime, wallTime: wallTime), uptime: uptime)
    }

    /// Returns the time of a step: by the source's clock, or by this node's if the source's did not
    /// advance.
    private func step(
        from last: TrackPoint, to point: TrackPoint, uptime: Duration
    ) -> Duration {
        let step = point.at - last.at
        return step > .zero ? step : max(.zero, uptime - (pointUptime ?? uptime))
    }

    private mutating func add(
        _ point: TrackPoint, step: Duration, uptime: Duration, wallTime: Timestamp
    ) -> WalkEntry {
        defer { pointUptime = uptime }
        return apply(
            entry(.point(point, step: step), uptime: uptime, wallTime: wallTime), uptime: uptime)
    }

    private func entry(
        _ event: WalkEntry.Event, uptime: Duration, wallTime: Timestamp
    ) -> WalkEntry {
        WalkEntry(
            event, elapsed: elapsed(uptime: uptime), at: wallTime, spikesCount: spikesCount)
    }

    /// Changes the state as an entry says.
    private mutating func apply(_ entry: WalkEntry, uptime: Duration) -> WalkEntry {
        counted = entry.elapsed
        lastEntry = entry.at
        spikesCount = entry.spikesCount
        switch entry.event {
        case .begun: break
        case .point(let point, let step): measure(point, step)
        case .alive: break
        case .paused: state = .paused
        case .resumed: state = .recording
        }
        if state == .paused { isSegmentDue = true }
        countedSince = state == .recording ? uptime : nil
        return entry
    }

    private mutating func measure(_ point: TrackPoint, _ step: Duration) {
        if let last = points.last, !point.startsSegment {
            let metres = last.point.distanceMetres(to: point.point)
            distanceMetres += metres
            if metres >= WalkLimits.movingMetresPerSecondMin * step.inSeconds { moving += step }
        }
        points.append(point)
        isSegmentDue = false
    }
}

// A recording after a restart of the node.
extension WalkRecorder {
    /// Makes the recording that a journal describes; nil if the journal is empty. If it was not
    /// paused, it is interrupted now.
    /// - Throws: the first ``WalkJournalFault`` found, in the order of the entries.
    init?(journal: [[UInt8]]) throws(WalkJournalFault) {
        guard let first = journal.first else { return nil }
        guard case .begun(let beginning)? = WalkEntry(decoding: first)?.event else {
            throw .noBeginning
        }
        self.init(beginning, uptime: .zero)
        for (index, bytes) in journal.enumerated().dropFirst() {
            guard let entry = WalkEntry(decoding: bytes), entry.elapsed >= counted else {
                throw .unreadableEntry(index: index)
            }
            switch entry.event {
            case .begun: throw .unreadableEntry(index: index)
            case .point where points.count >= WalkLimits.pointsCountMax:
                throw .tooManyPoints(limit: WalkLimits.pointsCountMax)
            default: _ = apply(entry, uptime: .zero)
            }
        }
        countedSince = nil
        isSegmentDue = true
        if state == .recording { state = .interrupted }
    }
}

/// The reason a journal is not one of a recording. The walk in it cannot be continued.
enum WalkJournalFault: SentenceError, Hashable, Sendable {
    /// The first entry is not the beginning of a walk.
    case noBeginning
    /// An entry is not one that this version writes, or its time is before that of an earlier one.
    case unreadableEntry(index: Int)
    /// There are more points than a walk can have.
    case tooManyPoints(limit: Int)

    /// A sentence for people about the fault.
    var sentence: Sentence {
        switch self {
        case .noBeginning: "its journal does not begin with a walk"
        case .unreadableEntry(let index): "entry \(index) of its journal cannot be read"
        case .tooManyPoints(let limit): "its journal has more than \(limit) points"
        }
    }
}

/// The reason why the journal of an earlier run cannot be used.
enum WalkJournalTrouble: Hashable, Sendable {
    /// It is the walk log's own journal, and no walk can be read from it.
    case damaged(WalkJournalFault)
    /// The file cannot be read now, or another program wrote it.
    case unusable(Sentence)

    /// Whether discarding the recording helps.
    var mayBeDiscarded: Bool {
        if case .damaged = self { true } else { false }
    }

    /// A sentence for people about the trouble.
    var sentence: Sentence {
        switch self {
        case .damaged(let fault):
            "An interrupted walk cannot be read: \(fault). 'waggle walk-log discard' removes what "
                + "is left of it."
        case .unusable(let reason): reason
        }
    }
}

extension Duration {
    /// The seconds, with fractions of a millisecond cut.
    var inSeconds: Double { Double(milliseconds) / 1000 }
}

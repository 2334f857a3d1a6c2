internal import PluginKit
internal import PromisesAPI

/// The lateness of a person at a promise.
enum Lateness: Hashable, Sendable {
    /// Arrived this long before the time.
    case early(by: Duration)
    /// Arrived less than a minute after it.
    case onTime(lateBy: Duration)
    /// Arrived this long after it, a minute or more.
    case late(by: Duration)
    /// Did not arrive.
    case noShow
    /// Has not arrived yet, and still may.
    case open

    /// Evaluates an arrival, or nil for none, at a moment. An arrival before or after the tracking
    /// of the promise counts as none.
    init(at: Timestamp, arrived: Timestamp?, now: Timestamp) {
        guard let arrived = Lateness.counted(arrived, at: at) else {
            self = PromisePhase(at: at, now: now) == .past ? .noShow : .open
            return
        }
        let late = arrived - at
        if late < .zero {
            self = .early(by: .zero - late)
        } else {
            self = late < PromiseLimits.late ? .onTime(lateBy: late) : .late(by: late)
        }
    }

    /// Returns the arrival if it counts: from half an hour before the time to three hours after it.
    static func counted(_ arrived: Timestamp?, at: Timestamp) -> Timestamp? {
        guard let arrived, PromisePhase(at: at, now: arrived) == .tracking else { return nil }
        return arrived
    }

    /// Whether the promise's penalty is owed.
    var isLate: Bool {
        switch self {
        case .late, .noShow: true
        case .early, .onTime, .open: false
        }
    }

    /// The kind of lateness, without its time, as answers have it.
    var kind: PromiseLateness {
        switch self {
        case .early: .early
        case .onTime: .onTime
        case .late: .late
        case .noShow: .noShow
        case .open: .open
        }
    }

    /// Seconds before the time, negative after it; nil without an arrival. Parts of a second are
    /// dropped.
    var earlySeconds: Int? {
        switch self {
        case .early(let early): Int(early.components.seconds)
        case .onTime(let late), .late(let late): -Int(late.components.seconds)
        case .noShow, .open: nil
        }
    }

    /// The sentence for a person, as in "4 min early".
    var text: Sentence {
        switch self {
        case .early(let early):
            early < .seconds(60)
                ? "\(early.components.seconds) s early"
                : "\(early.components.seconds / 60) min early"
        case .onTime: "on time"
        case .late(let late): "\(late.components.seconds / 60) min late"
        case .noShow: "did not come"
        case .open: "not here yet"
        }
    }
}

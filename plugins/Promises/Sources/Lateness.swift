/// How somebody kept a promise's time.
enum Lateness: Hashable, Sendable {
    /// Came so many milliseconds before the time.
    case early(ms: Int64)
    /// Came less than a minute after it.
    case onTime(lateMs: Int64)
    /// Came so many milliseconds after it, a minute or more.
    case late(ms: Int64)
    /// Did not come.
    case noShow
    /// Has not come yet, and still may.
    case open

    /// How somebody stands who arrived at a moment or has not; all in milliseconds since 1970.
    /// An arrival outside the time in which positions are shared is none.
    init(atMs: Int64, arrivedMs: Int64?, nowMs: Int64) {
        guard let arrivedMs = Lateness.counted(arrivedMs, atMs: atMs) else {
            self = PromisePhase(atMs: atMs, nowMs: nowMs) == .past ? .noShow : .open
            return
        }
        let lateMs = arrivedMs - atMs
        if lateMs < 0 {
            self = .early(ms: -lateMs)
        } else {
            self = lateMs < PromiseLimits.lateMs ? .onTime(lateMs: lateMs) : .late(ms: lateMs)
        }
    }

    /// The arrival where it counts: from half an hour before the time to three hours after it.
    static func counted(_ arrivedMs: Int64?, atMs: Int64) -> Int64? {
        guard PromiseLimits.timesMs.contains(atMs), let arrivedMs, arrivedMs >= 0,
            PromisePhase(atMs: atMs, nowMs: arrivedMs) == .tracking
        else { return nil }
        return arrivedMs
    }

    /// Whether the promise's penalty is owed.
    var isLate: Bool {
        switch self {
        case .late, .noShow: true
        case .early, .onTime, .open: false
        }
    }

    /// The word in JSON.
    var word: String {
        switch self {
        case .early: "early"
        case .onTime: "onTime"
        case .late: "late"
        case .noShow: "noShow"
        case .open: "open"
        }
    }

    /// Seconds before the time, negative after it; nil without an arrival. Parts of a second are
    /// dropped.
    var earlySeconds: Int64? {
        switch self {
        case .early(let ms): ms / 1000
        case .onTime(let ms), .late(let ms): -(ms / 1000)
        case .noShow, .open: nil
        }
    }

    /// How it reads: "4 min early", "on time", "2 min late".
    var text: String {
        switch self {
        case .early(let ms): ms < 60_000 ? "\(ms / 1000) s early" : "\(ms / 60_000) min early"
        case .onTime: "on time"
        case .late(let ms): "\(ms / 60_000) min late"
        case .noShow: "did not come"
        case .open: "not here yet"
        }
    }
}

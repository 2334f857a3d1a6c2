internal import PluginKit

/// The numbers of a promise.
enum PromiseLimits {
    /// What a promise is called.
    static let title = TextRule(what: "A promise's title", characters: 1...15)
    /// What its place is called.
    static let place = TextRule(what: "A place's name", characters: 1...50)
    /// What somebody is called who is no mate of mine.
    static let nickname = TextRule(what: "A nickname", characters: 2...8)
    /// How long before its time a promise must be made, in milliseconds.
    static let noticeMs: Int64 = 1_800_000
    /// How long before its time positions are shared, and its reminder comes, in milliseconds.
    static let trackingMs: Int64 = 1_800_000
    /// How long after its time it is over, in milliseconds.
    static let pastMs: Int64 = 10_800_000
    /// How long after it is over who was away is told who arrived, in milliseconds.
    static let newsMs: Int64 = 86_400_000
    /// From this many milliseconds after its time on, somebody is late.
    static let lateMs: Int64 = 60_000
    /// What may be owed for being late, in potatoes.
    static let penalties: [Int64] = [
        0, 100, 200, 300, 400, 500, 1000, 1500, 2000, 2500, 3000, 3500, 4000, 4500, 5000,
    ]
    /// Who is nearer than this to the place has arrived, in metres.
    static let arrivalMetres = 30.0
    /// A position is sent at most once in this time,
    static let sendIntervalMin = Duration.seconds(5)
    /// when it is this many metres off the last one,
    static let sendMetresMin = 5.0
    /// or this time has passed since.
    static let sendIntervalMax = Duration.seconds(30)
    /// A position older than this may no longer be true: it decides nothing and is drawn grey.
    static let freshMax = Duration.seconds(120)
    /// The most people of one promise, its maker included.
    static let peopleCountMax = 32
    /// How many past promises a page holds.
    static let pageCount = 10
    /// How many debts the ledger lists, newest first.
    static let debtsListedCountMax = 200
    /// The times a promise may have: what is reckoned with them stays in range.
    static let timesMs: ClosedRange<Int64> = 0...(Int64(Stamp.max.milliseconds) - pastMs)
}

internal import PluginKit
internal import PromisesAPI

/// The limits and times of a promise.
enum PromiseLimits {
    /// The rule for a title.
    static let title = PromiseTitleText.rule
    /// The rule for the name of a location.
    static let locationName = Text<1, 50>.rule
    /// The least time between making a promise and its time.
    static let notice = Duration.seconds(1800)
    /// The time before a promise at which its tracking begins and its reminder is posted.
    static let tracking = Duration.seconds(1800)
    /// The time after a promise at which it is over.
    static let past = Duration.seconds(10_800)
    /// The time after an agreed time during which the promise's last time is remembered. It is
    /// longer than a consent, because a clock may be set back.
    static let remembered = past + .seconds(86_400)
    /// The time after its end during which a person who was away is told who arrived.
    static let news = Duration.seconds(86_400)
    /// A person who arrives at least this long after the time is late.
    static let late = Duration.seconds(60)
    /// The penalties for being late, in potatoes.
    static let penalties = [
        0, 100, 200, 300, 400, 500, 1000, 1500, 2000, 2500, 3000, 3500, 4000, 4500, 5000,
    ]
    /// A person nearer than this to the location has arrived, in metres.
    static let arrivalMetres = 30.0
    /// A location is sent at most once in this time,
    static let sendIntervalMin = Duration.seconds(5)
    /// if it is this many metres from the last one,
    static let sendMetresMin = 5.0
    /// or if this time has passed since.
    static let sendIntervalMax = Duration.seconds(30)
    /// A location older than this may be wrong: it is not used for decisions and is drawn grey.
    static let freshMax = Duration.seconds(120)
    /// The largest number of people in one promise, including its maker.
    static let peopleCountMax = 32
    /// The number of past promises in a page.
    static let pageCount = 10
    /// The number of debts that the ledger lists, newest first.
    static let debtsListedCountMax = 200
    /// The latest time of a promise: its end is within the range of times too.
    static let latest = Timestamp.max - past
    /// The times of a promise as records hold them, in milliseconds since 1970.
    static let recorded = 0...latest.milliseconds
}

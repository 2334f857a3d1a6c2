internal import PluginKit

/// Limits how often departures and arrivals are stored for one promise. Each of them counts once
/// for a time of the promise, but its maker may move it again and again.
enum DeclaringPace {
    /// The batches that are stored at once.
    static let atOnceMax = 4
    /// The time after which one more is stored.
    static let interval = Duration.seconds(60)

    /// A bucket for one promise.
    static let bucket = TokenBucket(atOnceMax: atOnceMax, interval: interval)
}

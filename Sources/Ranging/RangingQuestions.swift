/// The plugins that ask for measurements, each until a time. The provider measures only while one
/// of them does.
///
/// A question ends by itself, so a plugin or a page that has stopped without saying so keeps
/// nothing running. A plugin that still needs measurements asks again before the end.
public struct RangingQuestions: Sendable {
    private var ends: [String: Duration] = [:]

    /// Creates the value without questions.
    public init() {}

    /// Records a question of a plugin, in place of its earlier one.
    /// - Parameter duration: how long it counts, at most ``RangingLimits/askedMax``; zero or less
    ///   takes it back.
    public mutating func ask(_ plugin: String, for duration: Duration, now: Duration) {
        ends[plugin] =
            duration > .zero ? now + min(duration, RangingLimits.askedMax) : nil
    }

    /// Returns the plugins that ask now.
    public func asking(now: Duration) -> Set<String> {
        Set(ends.filter { $0.value > now }.keys)
    }

    /// Whether anybody asks now.
    public func isAnybodyAsking(now: Duration) -> Bool { ends.values.contains { $0 > now } }
}

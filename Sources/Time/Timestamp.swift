/// A moment in whole milliseconds since 1970, from 1970 to the year 6429.
///
/// ```swift let deadline = clock.wallTime + .seconds(60) let left = deadline - clock.wallTime  // a
/// Duration ``` Its range is that of a record's stamp. The result of an operation never leaves the
/// range: it becomes the nearest moment within it.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970, from 0 to ``millisecondsMax``.
    public let milliseconds: Int64

    /// The milliseconds of the latest moment: 2^47 − 1, in the year 6429, which is the latest that
    /// a record's stamp can hold.
    public static let millisecondsMax: Int64 = (1 << 47) - 1
    /// The beginning of 1970.
    public static let min = Timestamp(milliseconds: 0)
    /// The latest moment.
    public static let max = Timestamp(milliseconds: millisecondsMax)

    /// Creates a moment; one before 1970 becomes 1970, one after the latest becomes the latest.
    public init(milliseconds: Int64) {
        self.milliseconds = Swift.min(Swift.max(0, milliseconds), Self.millisecondsMax)
    }

    /// Creates a moment from a number that must be one, such as a number in a message; nil if it is
    /// out of range.
    public init?<Number: BinaryInteger>(exactly milliseconds: Number) {
        guard let number = Int64(exactly: milliseconds), (0...Self.millisecondsMax).contains(number)
        else { return nil }
        self.milliseconds = number
    }

    /// Whether one moment is earlier than the other.
    public static func < (one: Timestamp, other: Timestamp) -> Bool {
        one.milliseconds < other.milliseconds
    }
}

extension Timestamp {
    /// Returns the moment a duration later. A moment out of range becomes the nearest within it.
    public static func + (moment: Timestamp, duration: Duration) -> Timestamp {
        let bounded = Swift.min(
            Swift.max(-millisecondsMax, duration.milliseconds), millisecondsMax)
        return Timestamp(milliseconds: moment.milliseconds + bounded)
    }

    /// Returns the moment a duration earlier. A moment out of range becomes the nearest within it.
    public static func - (moment: Timestamp, duration: Duration) -> Timestamp {
        let bounded = Swift.min(
            Swift.max(-millisecondsMax, duration.milliseconds), millisecondsMax)
        return Timestamp(milliseconds: moment.milliseconds - bounded)
    }

    /// Returns the time from a moment to another one, negative if the other is earlier.
    public static func - (end: Timestamp, start: Timestamp) -> Duration {
        .milliseconds(end.milliseconds - start.milliseconds)
    }
}

extension Duration {
    /// The number of whole milliseconds, without fractions. A duration of more than 292 million
    /// years is cut to that.
    public var milliseconds: Int64 {
        let secondsMax = Int64.max / 1000 - 1
        let seconds = min(max(-secondsMax, components.seconds), secondsMax)
        return seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }

    /// The number of whole seconds, rounded up, as a countdown shows them.
    public var secondsRoundedUp: Int {
        let (seconds, attoseconds) = components
        return Int(seconds) + (attoseconds > 0 ? 1 : 0)
    }
}

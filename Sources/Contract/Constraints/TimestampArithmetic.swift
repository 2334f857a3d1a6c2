extension Timestamp {
    /// Returns the moment a duration later. A moment out of range becomes the nearest within it.
    public static func + (moment: Timestamp, duration: Duration) -> Timestamp {
        let bounded = min(max(-millisecondsMax, duration.milliseconds), millisecondsMax)
        return Timestamp(milliseconds: moment.milliseconds + bounded)
    }

    /// Returns the moment a duration earlier. A moment out of range becomes the nearest within it.
    public static func - (moment: Timestamp, duration: Duration) -> Timestamp {
        let bounded = min(max(-millisecondsMax, duration.milliseconds), millisecondsMax)
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
}

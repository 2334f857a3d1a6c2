/// Ages and durations in words.
public enum AgeText {
    /// Returns an age in words that do not change every second: "just now" below ten seconds and
    /// for a moment in the future, then seconds in tens, minutes, hours and days.
    public static func ago(_ age: Duration) -> String {
        let seconds = age.components.seconds
        return switch seconds {
        case ..<10: "just now"
        case ..<60: "\(seconds / 10 * 10) s ago"
        case ..<3600: "\(seconds / 60) min ago"
        case ..<86_400: "\(seconds / 3600) h ago"
        default: seconds < 172_800 ? "1 day ago" : "\(seconds / 86_400) days ago"
        }
    }

    /// Returns the age of a moment; one in the future is "just now".
    public static func ago(since moment: Timestamp, now: Timestamp) -> String {
        ago(now - moment)
    }

    /// Returns the time since a moment, or the time until it, as in "3 min ago" or "in 2 h".
    public static func distance(to moment: Timestamp, now: Timestamp) -> String {
        let age = now - moment
        return age > .seconds(-10) ? ago(age) : "in \(span(.zero - age))"
    }

    /// Returns a duration in its largest fitting unit, as in "42 s", "3 min", "5 h" or "12 days".
    public static func span(_ duration: Duration) -> String {
        let seconds = duration.components.seconds
        return switch seconds {
        case ..<120: "\(seconds) s"
        case ..<7200: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3600) h"
        default: "\(seconds / 86_400) days"
        }
    }

    /// Returns a duration in its two largest units, as in "2 days 3 h", "1 h 30 min" or "25 min"; a
    /// negative one and one of less than a minute are "a moment".
    public static func spanInTwoUnits(_ duration: Duration) -> String {
        let minutes = duration.components.seconds / 60
        let (days, hours) = (minutes / 1440, minutes % 1440 / 60)
        if days > 0 {
            return (days == 1 ? "1 day" : "\(days) days") + (hours > 0 ? " \(hours) h" : "")
        }
        if hours > 0 { return "\(hours) h" + (minutes % 60 > 0 ? " \(minutes % 60) min" : "") }
        return minutes > 0 ? "\(minutes) min" : "a moment"
    }
}

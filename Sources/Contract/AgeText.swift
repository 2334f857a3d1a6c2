/// Ages and durations in words.
public enum AgeText {
    /// Returns an age in words that do not change every second: "just now" below ten seconds and
    /// for a moment in the future, then seconds in tens, minutes, hours and days.
    public static func ago(_ age: Duration) -> Sentence {
        let seconds = age.components.seconds
        return switch seconds {
        case ..<10: "just now"
        case ..<60: "\(seconds / 10 * 10) s ago"
        case ..<3600: "\(seconds / 60) min ago"
        case ..<86_400: "\(seconds / 3600) h ago"
        default:
            Sentence(
                count: seconds / 86_400, one: "1 day ago", other: "\(seconds / 86_400) days ago")
        }
    }

    /// Returns the age of a moment; one in the future is "just now".
    public static func ago(since moment: Timestamp, now: Timestamp) -> Sentence {
        ago(now - moment)
    }

    /// Returns the time since a moment, or the time until it, as in "3 min ago" or "in 2 h".
    public static func distance(to moment: Timestamp, now: Timestamp) -> Sentence {
        let age = now - moment
        return age > .seconds(-10) ? ago(age) : "in \(span(.zero - age))"
    }

    /// Returns a duration in its largest fitting unit, as in "42 s", "3 min", "5 h" or "12 days".
    public static func span(_ duration: Duration) -> Sentence {
        let seconds = duration.components.seconds
        return switch seconds {
        case ..<120: "\(seconds) s"
        case ..<7200: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3600) h"
        default: days(seconds / 86_400)
        }
    }

    /// Returns a duration in its two largest units, as in "2 days 3 h", "1 h 30 min" or "25 min"; a
    /// negative one and one of less than a minute are "a moment".
    public static func spanInTwoUnits(_ duration: Duration) -> Sentence {
        let minutes = duration.components.seconds / 60
        let (days, hours) = (minutes / 1440, minutes % 1440 / 60)
        if days > 0 {
            return hours > 0 ? "\(self.days(days)) \(hours) h" : self.days(days)
        }
        if hours > 0 {
            return minutes % 60 > 0 ? "\(hours) h \(minutes % 60) min" : "\(hours) h"
        }
        return minutes > 0 ? "\(minutes) min" : "a moment"
    }

    private static func days(_ count: Int64) -> Sentence {
        Sentence(count: count, one: "1 day", other: "\(count) days")
    }
}

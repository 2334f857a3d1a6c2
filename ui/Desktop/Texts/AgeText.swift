/// How long ago something was, in words that do not change every second.
enum AgeText {
    /// "just now" below ten seconds, then seconds by ten, minutes, hours and days.
    static func spell(seconds: Int64) -> String {
        switch seconds {
        case ..<10: "just now"
        case ..<60: "\(seconds / 10 * 10) s ago"
        case ..<3600: "\(seconds / 60) min ago"
        case ..<86_400: "\(seconds / 3600) h ago"
        default: seconds < 172_800 ? "1 day ago" : "\(seconds / 86_400) days ago"
        }
    }

    /// The age of a moment, both in milliseconds since 1970; one that lies ahead is "just now".
    static func spell(sinceMs moment: Int64, nowMs: Int64) -> String {
        let (age, overflow) = nowMs.subtractingReportingOverflow(moment)
        return spell(seconds: overflow ? 0 : age / 1000)
    }
}

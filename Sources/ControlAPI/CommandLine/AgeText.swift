/// Moments and spans as a person says them.
enum AgeText {
    /// How long ago, or how long until, as in `3 min ago` or `in 2 h`.
    static func text(_ milliseconds: Int64, now: Int64) -> String {
        let (distance, overflow) = now.subtractingReportingOverflow(milliseconds)
        guard !overflow else { return "long ago" }
        guard distance.magnitude >= 5000 else { return "just now" }
        let span = span(seconds: Int64(distance.magnitude / 1000))
        return distance > 0 ? "\(span) ago" : "in \(span)"
    }

    /// A length of time in its largest fitting unit, as in `42 s`, `3 min`, `5 h` or `12 days`.
    static func span(seconds: Int64) -> String {
        switch seconds {
        case ..<120: "\(seconds) s"
        case ..<7200: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3600) h"
        default: "\(seconds / 86_400) days"
        }
    }
}

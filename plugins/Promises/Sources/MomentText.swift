internal import Foundation
internal import PluginKit

/// A moment as a notice names it, in the time zone of this device: "18:00", or "Sat 21 Nov, 18:00"
/// on another day than today.
enum MomentText {
    /// Returns the text of a moment.
    static func text(
        _ moment: Timestamp, now: Timestamp, in zone: TimeZone = .autoupdatingCurrent
    ) -> Sentence {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let parts = calendar.dateComponents(
            [.weekday, .day, .month, .hour, .minute], from: Date(moment))
        let time = DateText.clock(parts.hour ?? 0, parts.minute ?? 0)
        guard !PromiseDay.range(containing: now, in: zone).contains(moment) else {
            return Sentence(verbatim: time)
        }
        let (weekday, month) = (weekdays[(parts.weekday ?? 1) - 1], months[(parts.month ?? 1) - 1])
        return "\(weekday) \(parts.day ?? 1) \(month), \(time)"
    }

    private static let weekdays: [Sentence] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months: [Sentence] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}

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
        let date = date(parts.day ?? 1, month: parts.month ?? 1)
        return "\(weekdays[(parts.weekday ?? 1) - 1]) \(date), \(time)"
    }

    private static let weekdays: [Sentence] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

    private static func date(_ day: Int, month: Int) -> Sentence {
        switch month {
        case 1: "\(day) Jan"
        case 2: "\(day) Feb"
        case 3: "\(day) Mar"
        case 4: "\(day) Apr"
        case 5: "\(day) May"
        case 6: "\(day) Jun"
        case 7: "\(day) Jul"
        case 8: "\(day) Aug"
        case 9: "\(day) Sep"
        case 10: "\(day) Oct"
        case 11: "\(day) Nov"
        default: "\(day) Dec"
        }
    }
}

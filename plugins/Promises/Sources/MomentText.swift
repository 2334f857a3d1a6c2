internal import Foundation
internal import PluginKit

/// A moment as a notice names it, in the time zone of this device: "18:00", or "Sat 21 Nov, 18:00"
/// on another day than today.
enum MomentText {
    /// Returns the text of a moment.
    static func text(
        _ moment: Timestamp, now: Timestamp, in zone: TimeZone = .autoupdatingCurrent
    ) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_GB")
        formatter.timeZone = zone
        let isToday = PromiseDay.range(containing: now, in: zone).contains(moment)
        formatter.dateFormat = isToday ? "HH:mm" : "EEE d MMM, HH:mm"
        return formatter.string(from: Date(moment))
    }
}

internal import Foundation
internal import PluginKit

/// The days in the time zone of this device.
enum PromiseDay {
    /// Returns the day that contains a moment.
    static func range(
        containing now: Timestamp, in zone: TimeZone = .autoupdatingCurrent
    ) -> Range<Timestamp> {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        guard let day = calendar.dateInterval(of: .day, for: Date(now)) else {
            return now..<now + .milliseconds(1)
        }
        return Timestamp(day.start)..<Timestamp(day.end)
    }
}

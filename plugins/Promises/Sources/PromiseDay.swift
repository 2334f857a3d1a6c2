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
        let moment = Date(timeIntervalSince1970: Double(now.milliseconds) / 1000)
        guard let day = calendar.dateInterval(of: .day, for: moment) else {
            return now..<now + .milliseconds(1)
        }
        return timestamp(day.start)..<timestamp(day.end)
    }

    private static func timestamp(_ date: Date) -> Timestamp {
        Timestamp(milliseconds: Int64((date.timeIntervalSince1970 * 1000).rounded()))
    }
}

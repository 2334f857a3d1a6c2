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

    /// Returns a day in one line that changes only when a promise does.
    /// - Parameter current: the next promise of the day, else the one that is tracked.
    static func text(
        current: Promise?, allDone: Bool, in zone: TimeZone = .autoupdatingCurrent
    ) -> Sentence {
        guard let current else {
            return allDone ? "All of today's promises are over" : "No promise today"
        }
        var style = Date.VerbatimFormatStyle(
            format:
                "\(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits)",
            timeZone: zone, calendar: Calendar(identifier: .gregorian))
        style.locale = Locale(identifier: "en_US_POSIX")
        let place = current.locationName.map { ", \($0)" } ?? ""
        return Sentence(verbatim: "\(style.format(Date(current.at))) \(current.title)\(place)")
    }
}

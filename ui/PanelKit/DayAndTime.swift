public import Contract
public import Foundation
import TimePhrases

extension Timestamp {
    /// Returns the moment as a person says it: "Today 18:30", "Tomorrow 18:30", "Yesterday 18:30",
    /// else "Mon 23 Nov 18:30". The year is shown if it is not the present one.
    public func dayAndTime(now: Timestamp, calendar: Calendar = .here) -> String {
        let date = Date(self)
        let days = calendar.dateComponents(
            [.day], from: calendar.startOfDay(for: Date(now)), to: calendar.startOfDay(for: date)
        ).day
        let text = phrase(now: now, calendar: calendar)
        let shown = text.prefix { $0 != "," }
        let names = [-1: localized("Yesterday"), 0: localized("Today"), 1: localized("Tomorrow")]
        guard let name = days.flatMap({ names[$0] }), let time = shown.split(separator: " ").last
        else { return String(shown) }
        return "\(name) \(time)"
    }
}

extension Timestamp {
    /// Returns the first full hour after the moment.
    public func nextFullHour(calendar: Calendar = .here) -> Timestamp {
        let hour = calendar.dateInterval(of: .hour, for: Date(self))
        return hour.map { Timestamp($0.end) } ?? self + .seconds(3600)
    }
}

extension Calendar {
    /// The Gregorian calendar in this device's time zone.
    public static var here: Calendar { .local }
}

public import Contract
public import Foundation
import TimePhrases

extension Timestamp {
    /// Returns the moment as a person says it: "Today 18:30", "Tomorrow 18:30", "Yesterday 18:30",
    /// else "Mon 23 Nov 18:30". The year is shown if it is not the present one.
    public func dayAndTime(now: Timestamp, calendar: Calendar = .here) -> String {
        let names = [-1: localized("Yesterday"), 0: localized("Today"), 1: localized("Tomorrow")]
        return text(now: now, calendar: calendar) { days, time in
            names[days].map { "\($0) \(time)" }
        }
    }

    /// Returns the same for the middle of a sentence: "today at 18:30", "Mon 23 Nov 18:30".
    public func dayAndTimeInSentence(now: Timestamp, calendar: Calendar = .here) -> String {
        text(now: now, calendar: calendar) { days, time in
            switch days {
            case -1: localized("yesterday at \(time)")
            case 0: localized("today at \(time)")
            case 1: localized("tomorrow at \(time)")
            default: nil
            }
        }
    }

    /// - Parameter near: returns the text for a time of day on a day with a name; nil if the day,
    ///   so many days after today, has none.
    private func text(
        now: Timestamp, calendar: Calendar, near: (_ days: Int, _ time: String) -> String?
    ) -> String {
        let date = Date(self)
        let days = calendar.dateComponents(
            [.day], from: calendar.startOfDay(for: Date(now)), to: calendar.startOfDay(for: date)
        ).day
        let shown = phrase(now: now, calendar: calendar).prefix { $0 != "," }
        guard let days, let time = shown.split(separator: " ").last else { return String(shown) }
        return near(days, String(time)) ?? String(shown)
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

public import Contract
public import Foundation

/// A moment that a person typed in words, in English or Korean:
///
///     try TimePhrase("tomorrow 18:00", now: now).moment
///     try TimePhrase("in 1 h 30 min", now: now).moment
///     try TimePhrase("다음 월요일 오후 6시 반", now: now).moment
///
/// It understands, in upper or lower case:
/// - a time of day: `18:00`, `6 pm`, `6:30 pm`, `noon`, `midnight`, `오후 6시 30분`, `정오`. Alone it
///   means the next time that a clock shows it;
/// - with a day: `today`, `tomorrow`, `Mon`, `Mon 24 Nov`, `next Monday`, `24 Nov`, `Nov 24 2027`,
///   `2026-11-24`, `24.11.`, `오늘`, `내일`, `모레`, `월요일`, `11월 24일`. A weekday is today only if
///   the time is still ahead, and never with `next`. A date without a year means its next
///   occurrence;
/// - a distance: `in 2 h`, `in 1 day`, `2시간 뒤`, to the next whole minute, and `now`;
/// - for programs, ISO 8601 (`2026-11-24T18:00+09:00`) and milliseconds since 1970, of 12 digits or
///   more.
public struct TimePhrase: Hashable, Sendable {
    /// The moment that the words mean.
    public let moment: Timestamp

    /// Reads the words.
    /// - Parameters:
    ///   - text: the words.
    ///   - now: the present moment.
    ///   - calendar: the calendar whose time zone the words are meant in.
    /// - Throws: ``TimePhraseFault``, with a sentence that shows what to type instead.
    public init(
        _ text: String, now: Timestamp, calendar: Calendar = .local
    ) throws(TimePhraseFault) {
        var reader = TimePhraseReader(text, now: now, calendar: calendar)
        moment = try reader.moment()
    }
}

/// Words that name no moment.
public enum TimePhraseFault: Error, Hashable, Sendable {
    /// The words are none that are understood.
    case unknown(String)
    /// A day without a time of day.
    case lacksTime(String)
    /// A day that no calendar has, such as 31 February, or a time that no clock shows.
    case impossible(String)

    /// A sentence for a person, without a full stop.
    public var sentence: String {
        switch self {
        case .unknown(let text):
            localized(
                "'\(text)' is not a time: try 'tomorrow 18:00', 'in 2 h' or '2026-11-24 18:00'")
        case .lacksTime(let text):
            localized("'\(text)' names no time of day: try '\(text) 18:00'")
        case .impossible(let text):
            localized("'\(text)' is not a valid date or time")
        }
    }
}

extension Calendar {
    /// The Gregorian calendar in this device's time zone.
    public static var local: Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .current
        return calendar
    }
}

extension Timestamp {
    /// Returns the moment as a person reads it, with its distance: "Mon 23 Nov 18:00, in 9 h". The
    /// year is shown if it is not the present one.
    public func phrase(now: Timestamp, calendar: Calendar = .local) -> String {
        let (then, today) = (Date(self), Date(now))
        let parts = calendar.dateComponents(
            [.weekday, .day, .month, .year, .hour, .minute], from: then)
        let isThisYear = parts.year == calendar.component(.year, from: today)
        let day = DateText(parts).dayAndTime(withYear: !isThisYear)
        return "\(day), \(localized(AgeText.distance(to: self, now: now)))"
    }

    /// Returns the time of day with seconds, as in "18:00:05".
    public func clockText(calendar: Calendar = .local) -> String {
        let parts = calendar.dateComponents([.hour, .minute, .second], from: Date(self))
        return DateText.clock(parts.hour ?? 0, parts.minute ?? 0, parts.second ?? 0)
    }
}

extension DateText {
    /// Makes the text of a calendar's components, of which the weekday, the day, the month, the
    /// year, the hour and the minute are used.
    public init(_ parts: DateComponents) {
        self.init(
            weekday: parts.weekday ?? 1, day: parts.day ?? 1, month: parts.month ?? 1,
            year: parts.year ?? 0, hour: parts.hour ?? 0, minute: parts.minute ?? 0)
    }
}

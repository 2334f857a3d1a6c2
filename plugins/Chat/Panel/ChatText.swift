import Contract
import Foundation

/// The spelling of times and texts of a chat.
enum ChatText {
    /// Characters of a text that a list shows.
    static let lineCharactersMax = 60

    /// Returns a time of day, such as "14:06".
    static func time(_ moment: Timestamp, in zone: TimeZone = .autoupdatingCurrent) -> String {
        let minute = moment.localSeconds(in: zone) / 60 % (24 * 60)
        let (hours, minutes) = (minute / 60, minute % 60)
        return (hours < 10 ? "0" : "") + "\(hours):" + (minutes < 10 ? "0" : "") + "\(minutes)"
    }

    /// Returns the day of a moment: "Today", "Yesterday", or its date, such as "Mon 23 Nov".
    static func day(
        _ moment: Timestamp, now: Timestamp, in zone: TimeZone = .autoupdatingCurrent
    ) -> String {
        switch ChatDay(now, in: zone).number - ChatDay(moment, in: zone).number {
        case 0: return localized("Today")
        case 1: return localized("Yesterday")
        case let age:
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = zone
            let parts = calendar.dateComponents(
                [.weekday, .day, .month, .year], from: Date(moment))
            let date = DateText(
                weekday: parts.weekday ?? 1, day: parts.day ?? 1, month: parts.month ?? 1,
                year: parts.year ?? 0, hour: 0, minute: 0)
            return date.day(withYear: abs(age) >= nearDaysCount)
        }
    }

    /// A date that is further away than this has a year.
    private static let nearDaysCount = 180

    /// Returns the time of a moment today, or else its day.
    static func brief(
        _ moment: Timestamp, now: Timestamp, in zone: TimeZone = .autoupdatingCurrent
    ) -> String {
        ChatDay(moment, in: zone) == ChatDay(now, in: zone)
            ? time(moment, in: zone) : day(moment, now: now, in: zone)
    }

    /// Returns the text of a message, or words in its place if no part of it can be shown.
    static func shown(_ text: String) -> String {
        text.isEmpty ? localized("(nothing that can be shown)") : text
    }

    /// Returns a text on one line, cut to ``lineCharactersMax``.
    static func oneLine(_ text: String) -> String {
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        return line.count > lineCharactersMax
            ? line.prefix(lineCharactersMax - 1) + "…" : line
    }

    /// Returns a message on one line: "Photo" stands before its text.
    static func oneLine(_ text: String, photo: PhotoSides?) -> String {
        guard photo != nil else { return oneLine(shown(text)) }
        return text.isEmpty ? localized("Photo") : oneLine(localized("Photo: \(text)"))
    }

    /// Returns how many messages have not left this device; nil if a message's own state says it.
    static func waiting(_ count: Int) -> String? {
        count > 1 ? localized("\(NumberText.grouped(count)) will be sent when you meet") : nil
    }
}

/// A day in some time zone, counted from 1970.
struct ChatDay: Hashable, Sendable {
    let number: Int

    /// The day of a moment.
    init(_ moment: Timestamp, in zone: TimeZone = .autoupdatingCurrent) {
        number = moment.localSeconds(in: zone) / (24 * 60 * 60)
    }
}

extension Timestamp {
    /// The seconds since 1970 on the clocks of a zone; never negative.
    fileprivate func localSeconds(in zone: TimeZone) -> Int {
        let seconds = Int(milliseconds / 1000) + zone.secondsFromGMT(for: Date(self))
        return seconds < 0 ? 0 : seconds
    }
}

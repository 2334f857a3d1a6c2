internal import Foundation

/// A date with a time of day as a calendar file writes it, without its zone: `20261124T180000`.
struct CalendarTime: Hashable, Sendable {
    let year: Int
    let month: Int
    let day: Int
    let hour: Int
    let minute: Int
    let second: Int

    /// The years that a moment may be in.
    static let years = 1970...6429

    /// Reads `YYYYMMDD`, with `THHMMSS` unless it is a whole day; hyphens and colons between them
    /// are ignored. Nil if it is no date, or its year is out of range.
    init?(_ text: some StringProtocol) {
        let plain = text.utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: ":") }
        let isDay = plain.count == 8
        guard isDay || plain.count == 15 && plain[8] == UInt8(ascii: "T") else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            var result = 0
            for byte in plain[range] {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                result = result * 10 + Int(byte & 15)
            }
            return result
        }
        guard let year = number(0..<4), CalendarTime.years.contains(year),
            let month = number(4..<6), (1...12).contains(month), let day = number(6..<8),
            day >= 1, day <= CalendarTime.daysCount(year: year, month: month)
        else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
        guard !isDay else {
            (hour, minute, second) = (0, 0, 0)
            return
        }
        guard let hour = number(9..<11), hour < 24, let minute = number(11..<13), minute < 60,
            let second = number(13..<15), second <= 60
        else { return nil }
        // A leap second is the last second of its minute here.
        (self.hour, self.minute, self.second) = (hour, minute, min(second, 59))
    }

    /// Returns the date and time of day of a moment in UTC, without fractions of a second.
    init(_ moment: Timestamp) {
        let seconds = moment.milliseconds / 1000
        var days = Int(seconds / 86_400)
        let ofDay = Int(seconds % 86_400)
        var (year, month) = (1970, 1)
        // Whole cycles of the calendar first: 400 years have 146 097 days.
        year += days / 146_097 * 400
        days %= 146_097
        while days >= CalendarTime.daysCount(year: year) {
            days -= CalendarTime.daysCount(year: year)
            year += 1
        }
        while days >= CalendarTime.daysCount(year: year, month: month) {
            days -= CalendarTime.daysCount(year: year, month: month)
            month += 1
        }
        (self.year, self.month, self.day) = (year, month, days + 1)
        (hour, minute, second) = (ofDay / 3600, ofDay / 60 % 60, ofDay % 60)
    }

    /// The seconds from the beginning of 1970 to this time, as if it were in UTC.
    var secondsInUTC: Int {
        let past = year - 1
        let leapDays = past / 4 - past / 100 + past / 400 - 477
        let months = (1..<month).reduce(0) { $0 + CalendarTime.daysCount(year: year, month: $1) }
        let days = (year - 1970) * 365 + leapDays + months + day - 1
        return ((days * 24 + hour) * 60 + minute) * 60 + second
    }

    /// The day of the week, from 0 for Sunday.
    var weekday: Int { (secondsInUTC / 86_400 + 4) % 7 }

    /// The moment that is this time in UTC with an offset.
    /// - Parameter offsetSeconds: how far the zone is ahead of UTC.
    func moment(offsetSeconds: Int) -> Timestamp? {
        Timestamp(exactly: (secondsInUTC - offsetSeconds) * 1000)
    }

    /// Returns the moment that is this time in a zone.
    func moment(in zone: TimeZone) -> Timestamp? {
        // The offset at the local time, read as UTC, is that of the moment or of one nearby, so a
        // second look is enough.
        let first = zone.secondsFromGMT(for: date(offsetSeconds: 0))
        let second = zone.secondsFromGMT(for: date(offsetSeconds: first))
        return moment(offsetSeconds: second)
    }

    private func date(offsetSeconds: Int) -> Date {
        Date(timeIntervalSince1970: Double(secondsInUTC - offsetSeconds))
    }

    /// The time as a calendar file writes it in UTC, as in `20261124T090000Z`.
    var textInUTC: String {
        func digits(_ number: Int, _ count: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        return digits(year, 4) + digits(month, 2) + digits(day, 2) + "T" + digits(hour, 2)
            + digits(minute, 2) + digits(second, 2) + "Z"
    }

    /// Returns the number of days of a month.
    static func daysCount(year: Int, month: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func daysCount(year: Int) -> Int { isLeap(year) ? 366 : 365 }

    private static func isLeap(_ year: Int) -> Bool {
        year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    }
}

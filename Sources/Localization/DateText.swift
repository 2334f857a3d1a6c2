/// Dates and times of day as each language writes them: "Mon 23 Nov 18:00" is
/// "11월 23일 (월) 18:00" in Korean. Numbers are written alike in both languages: a point before the
/// decimals, and 24 hours.
public struct DateText: Hashable, Sendable {
    /// The weekday, from 1 for Sunday.
    public var weekday: Int
    /// The day of the month.
    public var day: Int
    /// The month, from 1.
    public var month: Int
    /// The year.
    public var year: Int
    /// The hour of 24.
    public var hour: Int
    /// The minute of the hour.
    public var minute: Int

    /// Makes the text of a calendar's components.
    public init(weekday: Int, day: Int, month: Int, year: Int, hour: Int, minute: Int) {
        (self.weekday, self.day, self.month, self.year) = (weekday, day, month, year)
        (self.hour, self.minute) = (hour, minute)
    }

    /// Returns the day, with the year if wanted: "Mon 23 Nov 2026", "2026년 11월 23일 (월)".
    public func day(
        withYear: Bool = false, in language: Language = Catalogue.current.language
    ) -> String {
        switch language {
        case .en:
            "\(Self.name(weekday, of: Self.weekdays)) \(day) \(Self.name(month, of: Self.months))"
                + (withYear ? " \(year)" : "")
        case .ko:
            (withYear ? "\(year)년 " : "")
                + "\(month)월 \(day)일 (\(Self.name(weekday, of: Self.koreanWeekdays)))"
        }
    }

    /// Returns the day and the time of day: "Mon 23 Nov 18:00", "11월 23일 (월) 18:00".
    public func dayAndTime(
        withYear: Bool = false, in language: Language = Catalogue.current.language
    ) -> String {
        "\(day(withYear: withYear, in: language)) \(Self.clock(hour, minute))"
    }

    /// Returns a month with its year, as above a calendar: "Nov 2026", "2026년 11월".
    /// - Parameter number: the month, from 1.
    public static func month(
        _ number: Int, year: Int, in language: Language = Catalogue.current.language
    ) -> String {
        switch language {
        case .en: "\(name(number, of: months)) \(year)"
        case .ko: "\(year)년 \(number)월"
        }
    }

    /// Returns the names of the days of the week, from Sunday: "Sun", "일".
    public static func weekdayNames(
        in language: Language = Catalogue.current.language
    ) -> [String] {
        switch language {
        case .en: weekdays
        case .ko: koreanWeekdays
        }
    }

    /// Returns a time of day with two digits each, as in "09:05" or "18:00:05".
    public static func clock(_ parts: Int...) -> String {
        parts.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }

    private static func name(_ number: Int, of names: [String]) -> String {
        names.indices.contains(number - 1) ? names[number - 1] : ""
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let koreanWeekdays = ["일", "월", "화", "수", "목", "금", "토"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}

/// The words of a ``TimePhrase`` that have a number.
enum PhraseWords {
    /// The first three letters of the weekdays, Sunday first as in `Calendar`.
    static let weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
    /// The first three letters of the months.
    static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    private static let longWeekdays = [
        "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
    ]
    private static let longMonths = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september",
        "october", "november", "december",
    ]
    private static let koreanWeekdays = ["일", "월", "화", "수", "목", "금", "토"]

    /// Returns the number of a weekday from 1 for Sunday; nil for another word.
    static func weekday(_ word: String) -> Int? {
        if let place = koreanWeekdays.firstIndex(where: { $0 + "요일" == word }) { return place + 1 }
        return (place(of: word, in: longWeekdays) ?? weekdays.firstIndex(of: word)).map { $0 + 1 }
    }

    /// Returns the number of a month from 1; nil for another word.
    static func month(_ word: String) -> Int? {
        (place(of: word, in: longMonths) ?? months.firstIndex(of: word)).map { $0 + 1 }
    }

    /// Returns the number of days from today; nil for another word.
    static func dayDistance(_ word: String) -> Int? {
        switch word {
        case "today", "오늘": 0
        case "tomorrow", "내일": 1
        case "모레": 2
        default: nil
        }
    }

    /// Returns the seconds of a unit; nil for another word.
    static func seconds(_ unit: String) -> Int64? {
        switch unit {
        case "s", "sec", "secs", "second", "seconds", "초": 1
        case "m", "min", "mins", "minute", "minutes", "분": 60
        case "h", "hr", "hrs", "hour", "hours", "시간": 3600
        case "d", "day", "days", "일": 86_400
        case "w", "week", "weeks", "주": 604_800
        default: nil
        }
    }

    /// Returns the half of the day that a word names; nil for another word.
    static func half(_ word: String) -> DayHalf? {
        switch word {
        case "am", "오전": .morning
        case "pm", "오후": .afternoon
        default: nil
        }
    }

    /// Returns the hour of a word for a time of day; nil for another word.
    static func hour(_ word: String) -> Int? {
        switch word {
        case "noon", "정오": 12
        case "midnight", "자정": 0
        default: nil
        }
    }

    /// Returns the place of a name in a list, if the word is the name or its first letters, at
    /// least three.
    private static func place(of word: String, in names: [String]) -> Int? {
        guard word.count >= 3 else { return nil }
        return names.firstIndex { $0.hasPrefix(word) }
    }
}

/// A half of the day, as in "6 pm".
enum DayHalf {
    case morning
    case afternoon

    /// Returns the hour of 24 for one of 12; nil if no clock shows it.
    func hour(_ hour: Int) -> Int? {
        guard (1...12).contains(hour) else { return nil }
        return hour % 12 + (self == .afternoon ? 12 : 0)
    }
}

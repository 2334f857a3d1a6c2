import Contract
import Foundation

/// Reads a ``TimePhrase`` from left to right: each step reads a day, a time of day or a filler.
struct TimePhraseReader {
    private let text: String
    private let now: Timestamp
    private var calendar: Calendar
    private var tokens: ArraySlice<PhraseToken>
    private var day: Day?
    /// The weekday beside a date, which must agree with it.
    private var weekday: Int?
    private var time: TimeOfDay?

    private enum Day {
        case distance(Int)
        case weekday(Int, isNext: Bool)
        case date(year: Int?, month: Int, day: Int)
    }

    private struct TimeOfDay {
        var hour: Int
        var minute: Int
        var second = 0
    }

    init(_ text: String, now: Timestamp, calendar: Calendar) {
        (self.text, self.now, self.calendar) = (text, now, calendar)
        let isShort = text.utf8.count <= Self.bytesMax
        tokens = (isShort ? PhraseToken.all(in: text) : nil)?[...] ?? []
    }

    /// The longest phrase that is read, in bytes.
    private static let bytesMax = 200
    /// The digits from which a number alone is milliseconds since 1970.
    private static let millisecondsDigitsMin = 12

    /// Returns the moment that the whole phrase means.
    mutating func moment() throws(TimePhraseFault) -> Timestamp {
        guard !tokens.isEmpty else { throw .unknown(shown) }
        if tokens.count == 1,
            case .number(let number, Self.millisecondsDigitsMin...)? = tokens.first
        {
            guard let moment = Timestamp(exactly: number) else { throw .impossible(shown) }
            return moment
        }
        if tokens == [.word("now")] || tokens == [.word("지금")] { return now }
        if let seconds = try distance() { return rounded(now + .seconds(seconds), from: seconds) }
        while !tokens.isEmpty {
            guard readDay() || readTime() || readZone() || readFiller() else {
                throw .unknown(shown)
            }
        }
        return try resolved()
    }

    /// The phrase for a message, shortened.
    private var shown: String { text.count > 40 ? text.prefix(40) + "…" : text }

    /// Returns the whole minute that begins next, unless seconds were typed: a time is shown by its
    /// minute, and what is shown can be typed again.
    private func rounded(_ moment: Timestamp, from seconds: Int64) -> Timestamp {
        let beyond = moment.milliseconds % 60_000
        guard seconds > 0, seconds.isMultiple(of: 60), beyond > 0 else { return moment }
        return moment + .milliseconds(60_000 - beyond)
    }

    /// Reads "in 1 h 30 min", "+2h" or "2시간 뒤" as seconds; nil if the phrase is something else.
    private func distance() throws(TimePhraseFault) -> Int64? {
        var rest = tokens
        let isMarked = rest.first == .word("in") || rest.first == .mark("+")
        let isEnded = rest.last == .word("뒤") || rest.last == .word("후")
        guard isMarked != isEnded, rest.count > 1 else { return nil }
        rest = isMarked ? rest.dropFirst() : rest.dropLast()
        var seconds: Int64 = 0
        while let next = rest.popFirst() {
            guard case .number(let number, _) = next, case .word(let unit)? = rest.popFirst(),
                let length = PhraseWords.seconds(unit)
            else { throw .unknown(shown) }
            let (product, isTooLong) = number.multipliedReportingOverflow(by: length)
            let (sum, isOver) = seconds.addingReportingOverflow(product)
            guard !isTooLong, !isOver, sum <= Timestamp.millisecondsMax / 1000 else {
                throw .impossible(shown)
            }
            seconds = sum
        }
        return seconds
    }
}

extension TimePhraseReader {
    /// Reads a day, if the next tokens are one and there was none yet; or a weekday beside a date.
    private mutating func readDay() -> Bool {
        guard let (found, count) = wordDay ?? isoDay ?? namedMonth ?? numberedMonth else {
            return false
        }
        switch (day, found) {
        case (nil, _): day = found
        case (.date, .weekday(let name, isNext: false)) where weekday == nil: weekday = name
        case (.weekday(let name, isNext: false), .date) where weekday == nil:
            (day, weekday) = (found, name)
        default: return false
        }
        tokens = tokens.dropFirst(count)
        return true
    }

    /// "tomorrow", "Mon", "next Monday".
    private var wordDay: (Day, Int)? {
        guard let word = letters(0) else { return nil }
        if let distance = PhraseWords.dayDistance(word) { return (.distance(distance), 1) }
        if let weekday = PhraseWords.weekday(word) { return (.weekday(weekday, isNext: false), 1) }
        guard word == "next" || word == "다음",
            let weekday = self.letters(1).flatMap(PhraseWords.weekday)
        else { return nil }
        return (.weekday(weekday, isNext: true), 2)
    }

    /// "2026-11-24", with a "T" before a time.
    private var isoDay: (Day, Int)? {
        guard let year = number(0, digits: 4...4), token(1) == .mark("-"),
            let month = number(2), token(3) == .mark("-"), let day = number(4)
        else { return nil }
        let hasTime = token(5) == .word("t") && number(6) != nil
        return (.date(year: year, month: month, day: day), hasTime ? 6 : 5)
    }

    /// "24 Nov", "Nov 24", each with a year or without.
    private var namedMonth: (Day, Int)? {
        let names = [letters(0), letters(1)].map { $0.flatMap(PhraseWords.month) }
        let found: (day: Int, month: Int)? =
            if let day = number(0), let month = names[1] {
                (day, month)
            } else if let month = names[0], let day = number(1) {
                (day, month)
            } else {
                nil
            }
        guard let found else { return nil }
        let year = number(2, digits: 4...4)
        return (.date(year: year, month: found.month, day: found.day), year == nil ? 2 : 3)
    }

    /// "11월 24일", "2026년 11월 24일", "24.11." and "24.11.2026".
    private var numberedMonth: (Day, Int)? {
        if let year = number(0, digits: 4...4), token(1) == .word("년"), let month = number(2),
            token(3) == .word("월"), let day = number(4), token(5) == .word("일")
        {
            return (.date(year: year, month: month, day: day), 6)
        }
        guard let first = number(0) else { return nil }
        if token(1) == .word("월"), let day = number(2), token(3) == .word("일") {
            return (.date(year: nil, month: first, day: day), 4)
        }
        guard token(1) == .mark("."), let month = number(2), token(3) == .mark(".") else {
            return nil
        }
        let year = number(4, digits: 4...4)
        return (.date(year: year, month: month, day: first), year == nil ? 4 : 5)
    }

    /// Reads a time of day, if the next tokens are one and there was none yet.
    private mutating func readTime() -> Bool {
        guard time == nil, let (found, count) = wordTime ?? clockTime ?? koreanTime else {
            return false
        }
        time = found
        tokens = tokens.dropFirst(count)
        return true
    }

    /// "noon".
    private var wordTime: (TimeOfDay, Int)? {
        letters(0).flatMap(PhraseWords.hour).map { (TimeOfDay(hour: $0, minute: 0), 1) }
    }

    /// "18:00", "6:30 pm", "6 pm", and "18:00:30.000", of whose seconds the fraction is dropped.
    private var clockTime: (TimeOfDay, Int)? {
        guard var hour = number(0) else { return nil }
        var (minute, second, count) = (0, 0, 1)
        if token(1) == .mark(":"), let written = number(2, digits: 2...2) {
            (minute, count) = (written, 3)
            if token(3) == .mark(":"), let written = number(4, digits: 2...2) {
                (second, count) = (written, 5)
                if token(5) == .mark("."), number(6, digits: 1...9) != nil { count = 7 }
            }
        }
        if let half = letters(count).flatMap(PhraseWords.half) {
            hour = half.hour(hour) ?? Self.hourOfNoClock
            count += 1
        } else if count == 1 {
            return nil
        }
        return (TimeOfDay(hour: hour, minute: minute, second: second), count)
    }

    /// "18시", "오후 6시 반", "오전 9시 5분".
    private var koreanTime: (TimeOfDay, Int)? {
        let half = letters(0).flatMap(PhraseWords.half)
        let start = half == nil ? 0 : 1
        guard let written = number(start), let unit = letters(start + 1),
            ["시", "시반"].contains(unit)
        else { return nil }
        let hour = half.map { $0.hour(written) ?? Self.hourOfNoClock } ?? written
        if unit == "시반" { return (TimeOfDay(hour: hour, minute: 30), start + 2) }
        if token(start + 2) == .word("반") {
            return (TimeOfDay(hour: hour, minute: 30), start + 3)
        }
        if let minute = number(start + 2), token(start + 3) == .word("분") {
            return (TimeOfDay(hour: hour, minute: minute), start + 4)
        }
        return (TimeOfDay(hour: hour, minute: 0), start + 2)
    }

    /// An hour that is refused in the end, for "13 pm".
    private static let hourOfNoClock = 99

    /// Reads "Z", "+09:00" or "+0900" after a time.
    private mutating func readZone() -> Bool {
        guard time != nil else { return false }
        if token(0) == .word("z"), let zone = TimeZone(secondsFromGMT: 0) {
            calendar.timeZone = zone
            tokens = tokens.dropFirst()
            return true
        }
        let sign = token(0) == .mark("+") ? 1 : token(0) == .mark("-") ? -1 : 0
        guard sign != 0, let (hours, minutes, count) = zoneDigits, hours <= 14, minutes < 60,
            let zone = TimeZone(secondsFromGMT: sign * (hours * 3600 + minutes * 60))
        else { return false }
        calendar.timeZone = zone
        tokens = tokens.dropFirst(1 + count)
        return true
    }

    private var zoneDigits: (hours: Int, minutes: Int, count: Int)? {
        if let both = number(1, digits: 4...4) { return (both / 100, both % 100, 1) }
        guard let hours = number(1, digits: 2...2), token(2) == .mark(":"),
            let minutes = number(3, digits: 2...2)
        else { return nil }
        return (hours, minutes, 3)
    }

    /// Reads a word without a meaning of its own, if something follows it.
    private mutating func readFiller() -> Bool {
        guard tokens.count > 1, ["at", "on"].contains(letters(0)) else { return false }
        tokens = tokens.dropFirst()
        return true
    }

    private func token(_ place: Int) -> PhraseToken? { tokens.dropFirst(place).first }

    private func letters(_ place: Int) -> String? {
        if case .word(let word)? = token(place) { word } else { nil }
    }

    private func number(_ place: Int, digits: ClosedRange<Int> = 1...2) -> Int? {
        guard case .number(let number, let count)? = token(place), digits.contains(count) else {
            return nil
        }
        return Int(number)
    }
}

extension TimePhraseReader {
    /// The moment of the day and the time that were read.
    private func resolved() throws(TimePhraseFault) -> Timestamp {
        guard let time else { throw .lacksTime(shown) }
        guard (0..<24).contains(time.hour), (0..<60).contains(time.minute),
            (0..<60).contains(time.second)
        else { throw .impossible(shown) }
        let found: Timestamp? =
            switch day {
            case nil: ahead(at: time, step: 1)
            case .distance(let days): moment(days: days, time)
            case .weekday(let weekday, let isNext):
                isNext
                    ? moment(days: days(until: weekday, min: 1), time)
                    : ahead(at: time, days: days(until: weekday, min: 0), step: 7)
            case .date(let year, let month, let day): date(year, month, day, time)
            }
        guard let found, weekday.map({ $0 == self.weekday(of: found) }) ?? true else {
            throw .impossible(shown)
        }
        return found
    }

    /// Returns a time on a day, or some days later if it has passed.
    private func ahead(at time: TimeOfDay, days: Int = 0, step: Int) -> Timestamp? {
        guard let first = moment(days: days, time), first <= now else {
            return moment(days: days, time)
        }
        return moment(days: days + step, time)
    }

    private func weekday(of moment: Timestamp) -> Int {
        calendar.component(.weekday, from: Date(moment))
    }

    private func days(until weekday: Int, min: Int) -> Int {
        let today = self.weekday(of: now)
        return (weekday - today - min + 14) % 7 + min
    }

    private func moment(days: Int, _ time: TimeOfDay) -> Timestamp? {
        let today = calendar.startOfDay(for: Date(now))
        guard let day = calendar.date(byAdding: .day, value: days, to: today) else { return nil }
        let parts = calendar.dateComponents([.year, .month, .day], from: day)
        return moment(parts, time)
    }

    /// Returns a date's moment; without a year the next one that is not over.
    private func date(_ year: Int?, _ month: Int, _ day: Int, _ time: TimeOfDay) -> Timestamp? {
        if let year { return moment(DateComponents(year: year, month: month, day: day), time) }
        let thisYear = calendar.component(.year, from: Date(now))
        // 29 February may be eight years away.
        return (thisYear...thisYear + 8).lazy.compactMap { year in
            moment(DateComponents(year: year, month: month, day: day), time)
        }.first { $0 > now }
    }

    /// Returns the moment of a day and a time; nil if no calendar has that day.
    private func moment(_ day: DateComponents, _ time: TimeOfDay) -> Timestamp? {
        var parts = day
        (parts.hour, parts.minute, parts.second) = (time.hour, time.minute, time.second)
        guard let date = calendar.date(from: parts),
            calendar.dateComponents([.year, .month, .day], from: date) == day
        else { return nil }
        return Timestamp(exactly: date)
    }
}

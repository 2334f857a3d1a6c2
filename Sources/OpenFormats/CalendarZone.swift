internal import Foundation

/// The zone of a time in a calendar file: a name of the time zone database, or the rules that the
/// file has for a name of its own, as Outlook writes them.
struct CalendarZone {
    /// The rules of the file, by name.
    private let rules: [String: [Rule]]

    /// Reads the zones that a file defines.
    init(_ calendar: Component) {
        var rules: [String: [Rule]] = [:]
        for zone in calendar.components where zone.name == "VTIMEZONE" {
            guard let name = zone.line("TZID")?.text else { continue }
            rules[name] = zone.components.prefix(Rule.countMax).compactMap(Rule.init)
        }
        self.rules = rules
    }

    /// Returns the moment of a time with this zone's name; nil if neither the system nor the file
    /// knows the zone.
    func moment(of time: CalendarTime, in name: String) -> Timestamp? {
        if let zone = CalendarZone.system(name) { return time.moment(in: zone) }
        guard let rules = rules[name], !rules.isEmpty else { return nil }
        let begun = rules.compactMap { rule in
            rule.lastStart(before: time).map { (start: $0, rule: rule) }
        }
        let applying = begun.max { $0.start < $1.start }?.rule ?? rules.first
        return applying.flatMap { time.moment(offsetSeconds: $0.offsetSeconds) }
    }

    /// Returns a zone of the system. Some programs write a path before its name, as in
    /// `/mozilla.org/20050126_1/Europe/Berlin`.
    private static func system(_ name: String) -> TimeZone? {
        let isPlain = name.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || [UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "/"), UInt8(ascii: "+")]
                    .contains(byte)
                || byte == UInt8(ascii: ".")
        }
        guard isPlain, name.utf8.count <= nameBytesMax else { return nil }
        let parts = name.split(separator: "/")
        let known = [parts.count, 3, 2, 1].lazy.filter { $0 <= parts.count }.map {
            parts.suffix($0).joined(separator: "/")
        }
        return known.filter { !$0.isEmpty && !$0.contains(".") }.compactMap {
            TimeZone(identifier: $0)
        }.first
    }

    private static let nameBytesMax = 128

    /// One rule of a zone: an offset, and when it begins in each year.
    private struct Rule {
        let offsetSeconds: Int
        private let start: CalendarTime
        /// The month and the day of the week in it, if the rule begins anew in each year.
        private let yearly: (month: Int, weekday: Int, week: Int)?

        static let countMax = 64
        private static let weekdays = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"]

        init?(_ part: Component) {
            guard part.name == "STANDARD" || part.name == "DAYLIGHT",
                let offset = part.line("TZOFFSETTO").flatMap({ Rule.offset($0.value) })
            else { return nil }
            offsetSeconds = offset
            // Outlook's rules begin in the year 1601.
            let written = part.line("DTSTART")?.value ?? ""
            guard
                let start = CalendarTime(written)
                    ?? CalendarTime("1970" + written.dropFirst(4))
            else { return nil }
            self.start = start
            yearly = part.line("RRULE").flatMap { Rule.yearly($0.value, start) }
        }

        /// Returns the last time before another one at which the rule began, in seconds.
        func lastStart(before time: CalendarTime) -> Int? {
            guard let yearly else {
                return start.secondsInUTC <= time.secondsInUTC ? start.secondsInUTC : nil
            }
            return [time.year, time.year - 1].compactMap { year in
                start(yearly, in: year)
            }.first { $0 <= time.secondsInUTC }
        }

        private func start(
            _ yearly: (month: Int, weekday: Int, week: Int), in year: Int
        ) -> Int? {
            func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
            let month = digits(yearly.month)
            let time = "T\(digits(start.hour))\(digits(start.minute))\(digits(start.second))"
            guard let first = CalendarTime("\(year)\(month)01\(time)") else { return nil }
            let count = CalendarTime.daysCount(year: year, month: yearly.month)
            let days = stride(
                from: 1 + (yearly.weekday - first.weekday + 7) % 7, through: count, by: 7)
            let wanted = Array(days)
            let index = yearly.week > 0 ? yearly.week - 1 : wanted.count + yearly.week
            guard wanted.indices.contains(index) else { return nil }
            return first.secondsInUTC + (wanted[index] - 1) * 86_400
        }

        /// Reads `+0900`, with seconds or without; nil unless it is within a day.
        private static func offset(_ text: String) -> Int? {
            let digits = text.utf8.dropFirst()
            guard let sign = text.first, sign == "+" || sign == "-", [4, 6].contains(digits.count),
                let number = Int(String(decoding: digits, as: UTF8.self)), number >= 0
            else { return nil }
            let padded = digits.count == 4 ? number * 100 : number
            let seconds = padded / 10_000 * 3600 + padded / 100 % 100 * 60 + padded % 100
            guard seconds < 86_400 else { return nil }
            return sign == "-" ? -seconds : seconds
        }

        /// Reads `FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU`; nil for any other rule.
        private static func yearly(
            _ text: String, _ start: CalendarTime
        ) -> (month: Int, weekday: Int, week: Int)? {
            var parts: [String: String] = [:]
            for part in text.uppercased().split(separator: ";") {
                let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
                if pair.count == 2 { parts[pair[0]] = pair[1] }
            }
            guard parts["FREQ"] == "YEARLY", let day = parts["BYDAY"],
                let weekday = weekdays.firstIndex(of: String(day.suffix(2))),
                let week = Int(day.dropLast(2)), (-5...5).contains(week), week != 0
            else { return nil }
            let month = parts["BYMONTH"].flatMap { Int($0) } ?? start.month
            return (1...12).contains(month) ? (month, weekday, week) : nil
        }
    }
}

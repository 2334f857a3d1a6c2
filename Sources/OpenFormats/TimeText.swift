/// Times in the form of ISO 8601 in UTC.
enum TimeText {
    /// Returns a moment with its milliseconds if it has any, as in `2026-11-24T09:00:00.250Z`.
    static func text(_ moment: Timestamp) -> String {
        let digits = CalendarTime(moment).textInUTC
        let (date, time) = (digits.prefix(8), digits.dropFirst(9).prefix(6))
        let days = "\(date.prefix(4))-\(date.dropFirst(4).prefix(2))-\(date.suffix(2))"
        let clock = "\(time.prefix(2)):\(time.dropFirst(2).prefix(2)):\(time.suffix(2))"
        let rest = moment.milliseconds % 1000
        guard rest > 0 else { return "\(days)T\(clock)Z" }
        let decimals = String(rest)
        return "\(days)T\(clock)." + String(repeating: "0", count: 3 - decimals.count)
            + "\(decimals)Z"
    }
}

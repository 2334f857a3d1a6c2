internal import Foundation

/// Which moments are of the same day where this device is.
enum PromiseDay {
    /// The day of a moment, in milliseconds since 1970.
    static func range(
        containing ms: Int64, in zone: TimeZone = .autoupdatingCurrent
    ) -> Range<Int64> {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let moment = Date(timeIntervalSince1970: Double(ms) / 1000)
        guard let day = calendar.dateInterval(of: .day, for: moment) else { return ms..<ms + 1 }
        return milliseconds(day.start)..<milliseconds(day.end)
    }

    private static func milliseconds(_ date: Date) -> Int64 {
        Int64((date.timeIntervalSince1970 * 1000).rounded())
    }
}

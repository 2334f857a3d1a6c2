import Contract
import Foundation
import PanelKit
import Testing

struct DayAndTimeTests {
    /// Monday, 23 November 2026, 09:00 in Seoul.
    private let now = Timestamp(milliseconds: 1_795_392_000_000)

    @Test(arguments: [
        (0, "Today 09:00"), (9, "Today 18:00"), (-9, "Today 00:00"), (-10, "Yesterday 23:00"),
        (15, "Tomorrow 00:00"), (38, "Tomorrow 23:00"), (39, "Wed 25 Nov 00:00"),
        (-34, "Sat 21 Nov 23:00"), (24 * 60, "Fri 22 Jan 2027 09:00"),
    ])
    func `a moment near today is called by its day`(hours: Int64, text: String) throws {
        let moment = now + .seconds(hours * 3600)
        #expect(moment.dayAndTime(now: now, calendar: try seoul()) == text)
    }

    @Test(arguments: [
        (9, "today at 18:00"), (-10, "yesterday at 23:00"), (15, "tomorrow at 00:00"),
        (39, "Wed 25 Nov 00:00"),
    ])
    func `within a sentence the name of a day is in lower case`(hours: Int64, text: String) throws {
        let moment = now + .seconds(hours * 3600)
        #expect(moment.dayAndTimeInSentence(now: now, calendar: try seoul()) == text)
    }

    private func seoul() throws -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "Asia/Seoul"))
        return calendar
    }

    @Test(arguments: [("Asia/Seoul", 0), ("Asia/Seoul", 3599), ("Asia/Kolkata", 1799)])
    func `the next full hour is that of the device's clock`(zone: String, late: Int64) throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: zone))
        let next = (now + .seconds(late)).nextFullHour(calendar: calendar)
        let offset: Int64 = zone == "Asia/Kolkata" ? 1800 : 3600
        #expect(next == now + .seconds(offset))
    }
}

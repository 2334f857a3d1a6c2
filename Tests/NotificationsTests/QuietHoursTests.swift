import Notifications
import Testing

@Suite struct QuietHoursTests {
    @Test func `hours over midnight contain both ends of the day`() throws {
        let night = try #require(QuietHours("22:00-07:00"))
        for (minute, isQuiet) in [
            (21 * 60 + 59, false), (22 * 60, true), (1439, true), (0, true), (6 * 60 + 59, true),
            (7 * 60, false),
        ] {
            #expect(night.contains(minute) == isQuiet, "\(minute)")
        }
    }

    @Test func `hours within a day contain their beginning and not their end`() throws {
        let noon = try #require(QuietHours("12:00-13:30"))
        for (minute, isQuiet) in [(719, false), (720, true), (809, true), (810, false)] {
            #expect(noon.contains(minute) == isQuiet, "\(minute)")
        }
    }

    @Test(arguments: ["22:00-07:00", "0:05-9:30"])
    func `a text is read and written with two digits`(text: String) throws {
        let hours = try #require(QuietHours(text))
        #expect(QuietHours(hours.description) == hours && hours.description.utf8.count == 11)
    }

    @Test(arguments: [
        "", "-", "22:00", "22:00-22:00", "24:00-07:00", "22:60-07:00", "22-7", "22:0-07:00",
        "+1:00-02:00", "22:00-07:00-08:00", "٢٢:00-07:00", "22:00 - 07:00",
    ])
    func `any other text is refused`(text: String) { #expect(QuietHours(text) == nil) }
}

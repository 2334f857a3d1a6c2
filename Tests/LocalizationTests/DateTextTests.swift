import Localization
import Testing

struct DateTextTests {
    private let date = DateText(weekday: 2, day: 23, month: 11, year: 2026, hour: 18, minute: 5)

    @Test func `a date is written as each language does`() {
        #expect(date.dayAndTime(in: .en) == "Mon 23 Nov 18:05")
        #expect(date.dayAndTime(in: .ko) == "11월 23일 (월) 18:05")
        #expect(date.dayAndTime(withYear: true, in: .en) == "Mon 23 Nov 2026 18:05")
        #expect(date.dayAndTime(withYear: true, in: .ko) == "2026년 11월 23일 (월) 18:05")
        #expect(date.day(in: .ko) == "11월 23일 (월)")
    }

    @Test func `every weekday and month has a name`() {
        var date = date
        for (weekday, name) in zip(1...7, ["일", "월", "화", "수", "목", "금", "토"]) {
            date.weekday = weekday
            #expect(date.day(in: .ko) == "11월 23일 (\(name))")
        }
        (date.weekday, date.month) = (7, 12)
        #expect(date.day(in: .en) == "Sat 23 Dec")
        (date.weekday, date.month) = (1, 1)
        #expect(date.day(in: .en) == "Sun 23 Jan")
    }

    @Test func `a calendar has the names of each language`() {
        #expect(DateText.month(11, year: 2026, in: .en) == "Nov 2026")
        #expect(DateText.month(11, year: 2026, in: .ko) == "2026년 11월")
        #expect(DateText.weekdayNames(in: .en).first == "Sun")
        #expect(DateText.weekdayNames(in: .ko) == ["일", "월", "화", "수", "목", "금", "토"])
    }

    @Test func `a time of day has two digits for each part`() {
        #expect(DateText.clock(0, 9) == "00:09")
        #expect(DateText.clock(23, 59, 5) == "23:59:05")
    }
}

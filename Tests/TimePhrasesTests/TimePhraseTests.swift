import Contract
import Foundation
import Testing
import TimePhrases

struct TimePhraseTests {
    private let calendar = Self.seoul()
    /// Monday, 23 November 2026, 09:00 in Seoul.
    private let now = Timestamp(milliseconds: 1_795_392_000_000)

    private func text(_ phrase: String) throws -> String {
        let moment = try TimePhrase(phrase, now: now, calendar: calendar).moment
        return moment.phrase(now: now, calendar: calendar)
    }

    @Test(arguments: [
        ("18:00", "Mon 23 Nov 18:00, in 9 h"), ("08:59", "Tue 24 Nov 08:59, in 23 h"),
        ("9:00", "Tue 24 Nov 09:00, in 24 h"), ("9:01", "Mon 23 Nov 09:01, in 60 s"),
        ("6 pm", "Mon 23 Nov 18:00, in 9 h"), ("6:30pm", "Mon 23 Nov 18:30, in 9 h"),
        ("12 am", "Tue 24 Nov 00:00, in 15 h"), ("12 PM", "Mon 23 Nov 12:00, in 3 h"),
        ("noon", "Mon 23 Nov 12:00, in 3 h"), ("midnight", "Tue 24 Nov 00:00, in 15 h"),
        ("오후 6시", "Mon 23 Nov 18:00, in 9 h"), ("오전 11시 5분", "Mon 23 Nov 11:05, in 2 h"),
        ("오후6시반", "Mon 23 Nov 18:30, in 9 h"), ("18시", "Mon 23 Nov 18:00, in 9 h"),
        ("정오", "Mon 23 Nov 12:00, in 3 h"),
    ])
    func `a time of day alone is the next one`(phrase: String, meaning: String) throws {
        #expect(try text(phrase) == meaning)
    }

    @Test(arguments: [
        ("today 18:00", "Mon 23 Nov 18:00, in 9 h"),
        ("today at 8:00", "Mon 23 Nov 08:00, 1 h ago"),
        ("tomorrow 18:00", "Tue 24 Nov 18:00, in 33 h"),
        ("6 pm tomorrow", "Tue 24 Nov 18:00, in 33 h"),
        ("Tomorrow, at noon", "Tue 24 Nov 12:00, in 27 h"),
        ("Mon 18:00", "Mon 23 Nov 18:00, in 9 h"), ("monday 8:00", "Mon 30 Nov 08:00, in 6 days"),
        ("next Monday 18:00", "Mon 30 Nov 18:00, in 7 days"),
        ("sunday 10:00", "Sun 29 Nov 10:00, in 6 days"),
        ("on Wed at 7 am", "Wed 25 Nov 07:00, in 46 h"),
        ("24 Nov 18:00", "Tue 24 Nov 18:00, in 33 h"),
        ("Nov 24, 18:00", "Tue 24 Nov 18:00, in 33 h"),
        ("24 november 2027 18:00", "Wed 24 Nov 2027 18:00, in 366 days"),
        ("1 Jan 0:00", "Fri 1 Jan 2027 00:00, in 38 days"),
        ("29 Feb 12:00", "Tue 29 Feb 2028 12:00, in 463 days"),
        ("24.11. 18:00", "Tue 24 Nov 18:00, in 33 h"),
        ("24.11.2026 18:00", "Tue 24 Nov 18:00, in 33 h"),
        ("2026-11-24 18:00", "Tue 24 Nov 18:00, in 33 h"),
        ("2026-11-24T18:00", "Tue 24 Nov 18:00, in 33 h"),
        ("2026-11-24T18:00:59Z", "Wed 25 Nov 03:00, in 42 h"),
        ("2026-11-24T18:00+09:00", "Tue 24 Nov 18:00, in 33 h"),
        ("2026-11-24T18:00-05:00", "Wed 25 Nov 08:00, in 47 h"),
        ("내일 18:00", "Tue 24 Nov 18:00, in 33 h"), ("모레 오후 6시에", "Wed 25 Nov 18:00, in 2 days"),
        ("다음 월요일 오후 6시 반", "Mon 30 Nov 18:30, in 7 days"),
        ("11월 24일 18시 5분", "Tue 24 Nov 18:05, in 33 h"),
        ("2026년 11월 24일 오후 6시", "Tue 24 Nov 18:00, in 33 h"),
        ("Tue 24 Nov 18:00", "Tue 24 Nov 18:00, in 33 h"),
        ("24 Nov 18:00 Tue", "Tue 24 Nov 18:00, in 33 h"),
        ("tomorrow 6 p.m.", "Tue 24 Nov 18:00, in 33 h"),
        ("2026-11-24T09:00:00.000Z", "Tue 24 Nov 18:00, in 33 h"),
        ("2026-11-24T18:00+0900", "Tue 24 Nov 18:00, in 33 h"),
    ])
    func `a day and a time are that moment`(phrase: String, meaning: String) throws {
        #expect(try text(phrase) == meaning)
    }

    @Test(arguments: [
        ("in 2 h", 7200), ("in 1 h 30 min", 5400), ("+45m", 2700), ("in 3 days", 259_200),
        ("2시간 뒤", 7200), ("2시간뒤", 7200), ("1시간 30분 후에", 5400), ("now", 0), ("지금", 0), ("in 0 s", 0),
    ])
    func `a distance counts from now`(phrase: String, seconds: Int64) throws {
        let moment = try TimePhrase(phrase, now: now, calendar: calendar).moment
        #expect(moment - now == .seconds(seconds))
    }

    @Test func `a distance ends at a whole minute, so that what is shown can be typed again`()
        throws
    {
        let odd = now + .milliseconds(12_345)
        let moment = try TimePhrase("in 90 min", now: odd, calendar: calendar).moment
        #expect(moment - now == .seconds(91 * 60))
        let shown = moment.phrase(now: odd, calendar: calendar).split(separator: ",")[0]
        #expect(try TimePhrase(String(shown), now: odd, calendar: calendar).moment == moment)
        let seconds = try TimePhrase("in 90 s", now: odd, calendar: calendar).moment
        #expect(seconds - odd == .seconds(90))
    }

    @Test func `milliseconds since 1970 are a moment`() throws {
        let moment = try TimePhrase("1795392000001", now: now, calendar: calendar).moment
        #expect(moment.milliseconds == 1_795_392_000_001)
    }

    @Test(arguments: [
        "", " ", "soon", "18", "2", "18:0", "18:000", "tomorrow tomorrow 18:00", "18:00 19:00",
        "in", "in 2", "in two h", "in 2 h later", "2 h", "tomorrow 18:00 at", "24/11 18:00",
        "24-11-2026 18:00", "18:00 +9:00", "next 18:00", "뒤", "\u{0}", "tonight 8:00", "18:00 🐕",
        "화요일 저녁 7시",
        String(repeating: "1", count: 30), String(repeating: "tomorrow ", count: 50),
    ])
    func `other words are refused`(phrase: String) {
        #expect(fault(phrase)?.isUnknown == true, "\(phrase)")
    }

    @Test(arguments: ["today", "Mon", "24 Nov", "2026-11-24", "내일"])
    func `a day needs a time`(phrase: String) {
        #expect(fault(phrase) == .lacksTime(phrase))
    }

    @Test(arguments: [
        "24:00", "18:60", "18:00:75", "Mon 24 Nov 18:00", "13 pm", "0 am", "31 Feb 18:00",
        "30.02. 18:00", "2026-13-01 18:00",
        "0 Nov 18:00", "in 999999999999999999 days", "999999999999999999", "오후 13시",
    ])
    func `what no calendar and no clock shows is refused`(phrase: String) {
        #expect(fault(phrase) == .impossible(phrase))
    }

    @Test func `a refusal quotes the words, shortened, and shows what to type`() {
        let sentence = fault("next blursday")?.sentence
        #expect(
            sentence
                == "'next blursday' is not a time: try 'tomorrow 18:00', 'in 2 h' or "
                + "'2026-11-24 18:00'")
        #expect(fault(String(repeating: "x", count: 100))?.sentence.count ?? 200 < 130)
    }

    @Test func `a time in the hour that the clock skips is the moment after it`() throws {
        var berlin = Calendar(identifier: .gregorian)
        berlin.timeZone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let moment = try TimePhrase("2027-03-28 02:30", now: now, calendar: berlin).moment
        #expect(moment.phrase(now: now, calendar: berlin).hasPrefix("Sun 28 Mar 2027 03:30"))
    }

    private func fault(_ phrase: String) -> TimePhraseFault? {
        do throws(TimePhraseFault) {
            _ = try TimePhrase(phrase, now: now, calendar: calendar)
            return nil
        } catch { return error }
    }

    private static func seoul() -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: 9 * 3600) ?? .current
        return calendar
    }
}

extension TimePhraseFault {
    fileprivate var isUnknown: Bool { if case .unknown = self { true } else { false } }
}

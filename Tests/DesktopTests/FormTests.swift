import Contract
import Foundation
import PanelKit
import PanelTestSupport
import Testing

/// The parts of forms that have no widgets.
struct FormTests {
    /// 2026-05-01 18:00 in Seoul, a Friday.
    private let now = Timestamp(milliseconds: 1_777_626_000_000)
    private let calendar: Calendar

    init() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "Asia/Seoul"))
        self.calendar = calendar
    }

    @Test(arguments: [
        ("tomorrow 18:00", "Sat 2 May 18:00, in 24 h"), ("  ", nil),
        ("tomorrow", "⚠ 'tomorrow' names no time of day: try 'tomorrow 18:00'."),
    ])
    func `a field for a moment repeats what its words mean`(words: String, echo: String?) {
        let typed = TypedMoment(words, now: now, calendar: calendar)
        #expect(typed.echo(now: now, calendar: calendar) == echo)
    }

    private let keys = "0123456789".map(key)

    @Test func `a list of many mates shows the chosen ones first, and as many others as fit`() {
        let choices = MateChoices(keys.map { ($0, "Mate \($0.string.prefix(1))") })
        let (all, moreCount) = choices.matching("", chosen: [])
        #expect(all == Array(keys.prefix(8)) && moreCount == 2)
        let (shown, hiddenCount) = choices.matching("", chosen: [keys[9]])
        #expect(shown == [keys[9]] + keys.prefix(7) && hiddenCount == 2)
    }

    @Test func `mates are found by a part of their name`() {
        let choices = MateChoices(zip(keys, ["Mina", "Jun", "하늘", "Émile"]).map { ($0, $1) })
        #expect(choices.matching("IN", chosen: []).shown == [keys[0]])
        #expect(choices.matching("하", chosen: []).shown == [keys[2]])
        #expect(choices.matching("emi", chosen: []).shown == [keys[3]])
        #expect(choices.matching("x", chosen: [keys[1]]).shown == [keys[1]])
    }
}

import Contract
import FeaturesAPI
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

    @Test func `the page of mates finds them by a part of their name or of their dog's`() {
        func mate(_ index: Int, _ name: String?, _ dog: String?) -> MateList.Mate {
            MateList.Mate(
                person: keys[index], suffix: KeySuffix(keys[index]), state: .mate,
                profile: ProfileFields(nickname: name, dogName: dog), present: false)
        }
        let mates = [mate(0, "Mina", "Choco"), mate(1, "Jun", nil), mate(2, nil, nil)]
        let names = [keys[0]: "Mina", keys[1]: "Min's brother"]
        func found(_ text: String) -> [Key] {
            MateChoices.found(text, among: mates, called: names).map(\.person)
        }
        #expect(found(" ") == mates.map(\.person))
        #expect(found("min") == [keys[0], keys[1]])
        #expect(found("choc") == [keys[0]])
        #expect(found("Jun").isEmpty)
    }
}

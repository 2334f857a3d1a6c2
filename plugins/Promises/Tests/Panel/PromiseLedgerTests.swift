import Contract
import Foundation
import PanelKit
import PanelTestSupport
import PromisesAPI
import Testing

@testable import PromisesPanel

/// The standings, and the list of who owes whom.
struct PromiseLedgerTests {
    /// 2026-05-01 18:00 in Seoul.
    private let now = Timestamp(milliseconds: 1_777_626_000_000)

    @Test(arguments: [(30.5, "30"), (95.9, "95"), (99.5, "99"), (100, "100")])
    func `kept promises are never rounded up`(percent: Double, shown: String) {
        let person = PromiseLedger.Person(
            person: key("b"), name: "Ann", me: false, owes: 0, past: 4, late: 1,
            keptPercent: percent, title: .ordinary)
        #expect(PromiseText.ledger(person) == "\(shown)% kept · 4 promises")
    }

    @Test func `debts are shown if there are any`() {
        func line(me: Bool, owes: Int) -> String {
            PromiseText.ledger(
                PromiseLedger.Person(
                    person: key("b"), name: "Ann", me: me, owes: owes, past: 0, late: 0,
                    title: .newcomer))
        }
        #expect(line(me: false, owes: 500) == "no past promises yet · owes 500 potatoes")
        #expect(line(me: true, owes: 500) == "no past promises yet · you owe 500 potatoes")
        #expect(line(me: true, owes: 0) == "no past promises yet")
    }

    @Test func `those who owe are listed with their debts, and nobody who owes nothing`() {
        func person(_ digit: Character, _ name: String, owes: Int) -> PromiseLedger.Person {
            PromiseLedger.Person(
                person: key(digit), name: name, me: digit == "a", owes: owes, past: 2, late: 1,
                title: .ordinary)
        }
        func debt(_ digit: Character, _ title: String) -> PromiseLedger.Debt {
            PromiseLedger.Debt(
                promise: key("d"), title: title, atMs: now, person: key(digit), name: "",
                potatoes: 500, text: "Ben owes you 500 potatoes.")
        }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: "Asia/Seoul") ?? .gmt
        let lines = LedgerLine.all(
            of: [
                person("a", "Sora", owes: 500), person("b", "Ben", owes: 1000),
                person("c", "Cem", owes: 0),
            ],
            [debt("b", "Dinner"), debt("a", "Dinner"), debt("b", "Lunch")], now: now,
            calendar: calendar)
        #expect(lines.map(\.sentence) == ["You owe 500 potatoes", "Ben owes you 1,000 potatoes"])
        #expect(
            lines.map(\.detail) == [
                "Dinner · Today 18:00 · 500 potatoes",
                "Dinner · Today 18:00 · 500 potatoes\nLunch · Today 18:00 · 500 potatoes",
            ])
    }
}

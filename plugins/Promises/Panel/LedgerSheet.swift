import Contract
import Foundation
import GtkKit
import PanelKit
import PromisesAPI

/// The debts of one person, as the list of who owes whom shows them.
struct LedgerLine: Equatable {
    var person: Key
    var name: String
    /// The balance, such as "Mina owes you 500 potatoes".
    var sentence: String
    /// The debts that make it up, one on each line, the newest first.
    var detail: String

    /// Returns a line for each person who owes something, in their order. The user took part in all
    /// of these promises, so others owe it to the user.
    static func all(
        of people: [PromiseLedger.Person], _ debts: [PromiseLedger.Debt], now: Timestamp,
        calendar: Calendar = .here
    ) -> [LedgerLine] {
        let single = Dictionary(grouping: debts, by: \.person)
        return people.filter { $0.owes.value > 0 }.map { person in
            let potatoes = PotatoText.count(person.owes.value)
            let lines = (single[person.person] ?? []).map { debt in
                [
                    debt.title.string, debt.atMs.dayAndTime(now: now, calendar: calendar),
                    localized(PotatoText.count(debt.potatoes.value)),
                ].joined(separator: " · ")
            }
            return LedgerLine(
                person: person.person, name: person.name.string,
                sentence: person.me
                    ? localized("You owe \(potatoes)")
                    : localized("\(person.name) owes you \(potatoes)"),
                detail: lines.joined(separator: "\n"))
        }
    }
}

/// The sheet that lists who owes whom.
@MainActor
final class LedgerSheet: Sheet {
    /// Called when the sheet is to be closed.
    var onClose: @MainActor () -> Void = {}

    private let close = Button(localized("Close"))

    /// Creates a list of these debts.
    init(_ lines: [LedgerLine]) {
        super.init(title: localized("Who owes whom"))
        if lines.isEmpty {
            append(Label(localized("Nobody owes anything.")).width(characters: 34))
        } else {
            let list = RowList().role(.list).named(localized("Who owes whom"))
            list.replaceRows(with: lines.map(row))
            append(list)
        }
        append(
            Label(localized("A person who comes late owes the potatoes of that promise."))
                .styled("hint").width(characters: 34))
        setButtons([close])
        close.onClick { [weak self] in self?.onClose() }
    }

    /// Moves the keyboard focus to the button that closes the sheet.
    func focusClose() { close.grabFocus() }

    private func row(_ line: LedgerLine) -> ActionRow {
        let row = ActionRow(line.sentence, subtitle: line.detail)
        let avatar = Avatar(key: line.person.string)
        avatar.show(name: line.name)
        row.addPrefix(avatar)
        return row.named(line.sentence).described(line.detail)
    }
}

import Contract
import GtkKit
import PanelKit
import PromisesAPI

/// The standings: people's shares of kept promises and debts, one row for each.
@MainActor
final class StandingList: Box {
    /// Called when a row is pressed, to show who owes whom.
    var onOpen: @MainActor () -> Void = {}

    private let rows = RowList().role(.list).named(localized("Your record"))
    private lazy var list = makeList()
    private var people: [Key: PromiseLedger.Person] = [:]

    init() {
        super.init(.down)
        append(list)
    }

    /// Shows these people in their order.
    func show(_ people: [PromiseLedger.Person]) {
        self.people = Dictionary(
            people.map { ($0.person, $0) }, uniquingKeysWith: { first, _ in first })
        list.show(people.map(\.person))
    }

    private func makeList() -> VirtualList<Key, StandingRow> {
        VirtualList(rows, place: rows.replaceRows) { [weak self] person in
            StandingRow(person) { self?.onOpen() }
        } show: { [weak self] row, person in
            if let person = self?.people[person] { row.show(person) }
        }
    }
}

/// One person's standing; a press shows who owes whom.
@MainActor
private final class StandingRow: ActionRow {
    private let avatar: Avatar

    init(_ person: Key, onOpen: @escaping @MainActor () -> Void) {
        avatar = Avatar(key: person.string)
        super.init()
        addPrefix(avatar)
        addSuffix(Icon("go-next-symbolic"))
        onActivate(onOpen)
    }

    /// Shows the standing.
    func show(_ person: PromiseLedger.Person) {
        avatar.show(name: person.name.string)
        let standing = PromiseText.title(person.title)
        title = person.me ? standing : "\(person.name) · \(standing)"
        subtitle = PromiseText.ledger(person)
        named("\(title). \(subtitle)").described(localized("Shows who owes whom"))
    }
}

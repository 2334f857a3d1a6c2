import Contract
import FeaturesAPI
import GtkKit
import PanelKit

/// The list of mates. A screen reader uses it instead of the map.
@MainActor
final class MateListView: Box {
    private let context: PanelContext
    private let own: @MainActor (Key) -> [PanelAction]
    private let list = RowList()
    private let empty: Box
    private let ways = Box(.down, spacing: 8).aligned(.centre)
    private var shownWays: [String] = []
    private var rows: [Key: MateRow] = [:]
    private var order: [Key] = []

    /// Creates an empty list of the panel with this context.
    /// - Parameter own: the actions of the mates' own page for a mate.
    init(_ context: PanelContext, own: @escaping @MainActor (Key) -> [PanelAction]) {
        self.context = context
        self.own = own
        list.role(.list).named(localized("Mates"))
        empty = Box(
            .down, spacing: 8,
            [
                Icon("system-users-symbolic", pixels: 48),
                Label(localized("No mates yet")).styled("row-title").centred(),
                Label(localized("When you meet someone with a dog, become mates."))
                    .styled("dim").centred().width(characters: 28),
                ways,
            ])
        super.init(.down)
        styled("page")
        append(empty.margin(across: 0, down: 12))
        append(list)
    }

    /// Shows the mates; rows that stay keep their position and focus. If there are none, it shows
    /// how the user can find some.
    func show(_ people: People, now: Timestamp, waysToMeet: [PanelAction]) {
        let wanted = people.mates.map(\.person)
        for mate in people.mates {
            row(for: mate.person).update(
                mate, name: people.names[mate.person] ?? mate.suffix.string,
                way: people.way(to: mate.location?.coordinate), now: now)
        }
        if wanted != order {
            order = wanted
            let kept = Set(wanted)
            rows = rows.filter { kept.contains($0.key) }
            list.replaceRows(with: wanted.compactMap { rows[$0] })
        }
        empty.isVisible = wanted.isEmpty
        list.isVisible = !wanted.isEmpty
        show(waysToMeet)
    }

    private func show(_ waysToMeet: [PanelAction]) {
        guard waysToMeet.map(\.title) != shownWays else { return }
        shownWays = waysToMeet.map(\.title)
        ways.replaceChildren(with: waysToMeet.map { $0.makeButton() })
    }

    private func row(for person: Key) -> MateRow {
        if let row = rows[person] { return row }
        let row = MateRow(
            person: person,
            actions: { [context] in context.actions(for: .person(person)) },
            own: { [own] in own(person) })
        rows[person] = row
        return row
    }
}

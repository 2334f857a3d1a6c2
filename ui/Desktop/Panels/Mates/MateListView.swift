import Contract
import FeaturesAPI
import GtkKit
import PanelKit

/// The list of mates. A screen reader uses it instead of the map.
@MainActor
final class MateListView: Box {
    /// Called with a mate to show on the map.
    var onShow: @MainActor (MateList.Mate) -> Void = { _ in }

    private let context: PanelContext
    private let list = Box(.down)
    private let empty: Box
    private let ways = Box(.down, spacing: 8).aligned(.centre)
    private var shownWays: [String] = []
    private var rows: [Key: MateRow] = [:]
    private var mates: [Key: MateList.Mate] = [:]

    /// Creates an empty list of the panel with this context.
    init(_ context: PanelContext) {
        self.context = context
        list.role(.list).named("Mates")
        empty = Box(
            .down, spacing: 8,
            [
                Icon("system-users-symbolic", pixels: 48),
                Label("No mates yet").styled("row-title").centred(),
                Label("When you meet someone with a dog, become mates.")
                    .styled("dim").centred().width(characters: 28),
                ways,
            ])
        super.init(.down)
        append(empty.margin(across: 12, down: 28))
        append(list)
    }

    /// Shows the mates; rows that stay keep their position and focus. If there are none, it shows
    /// how the user can find some.
    func show(_ people: People, now: Timestamp, waysToMeet: [PanelAction]) {
        mates = Dictionary(people.mates.map { ($0.person, $0) }, uniquingKeysWith: { $1 })
        rows = rows.filter { mates[$0.key] != nil }
        for mate in people.mates {
            row(for: mate.person).update(
                mate, name: people.names[mate.person] ?? mate.suffix.string, now: now,
                distance: people.distance(to: mate.location?.coordinate))
        }
        list.replaceChildren(with: people.mates.compactMap { rows[$0.person] })
        empty.isVisible = mates.isEmpty
        list.isVisible = !mates.isEmpty
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
            onShow: { [weak self] in self?.mates[person].map { self?.onShow($0) } })
        rows[person] = row
        return row
    }
}

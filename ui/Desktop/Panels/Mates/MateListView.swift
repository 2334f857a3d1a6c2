import Contract
import FeaturesAPI
import GtkKit
import PanelKit

/// The list of mates. A screen reader uses it instead of the map.
@MainActor
final class MateListView: Box {
    private let context: PanelContext
    private let own: @MainActor (Key) -> [PanelAction]
    private let contact: @MainActor (Key) -> Export<ExportMate>?
    private let heading = Label().styled("page-title").width(characters: 22)
    private let names = RowList().offeringFiles().role(.list).named(localized("Mates"))
    private lazy var list = makeList()
    private let none = Label(localized("Nobody has this name.")).styled("dim").centred()
        .width(characters: 28).role(.status).hidden()
    private let empty: Box
    private let ways = Box(.down, spacing: 8).aligned(.centre)
    private var shownWays: [String] = []
    private var mates: [Key: MateList.Mate] = [:]
    private var now = Timestamp.min

    /// Creates an empty list of the panel with this context.
    /// - Parameters:
    ///   - own: the actions of the mates' own page for a mate.
    ///   - contact: returns the contact as which a mate is dragged out of the window, if there is
    ///     one.
    init(
        _ context: PanelContext, own: @escaping @MainActor (Key) -> [PanelAction],
        contact: @escaping @MainActor (Key) -> Export<ExportMate>?
    ) {
        self.context = context
        self.own = own
        self.contact = contact
        empty = Box(
            .down, spacing: 8,
            [
                Icon("system-users-symbolic", pixels: 48),
                Label(localized("No mates yet")).styled("heading").centred(),
                Label(localized("Meet someone and do a drop to become mates."))
                    .styled("dim").centred().width(characters: 28),
                ways,
            ])
        super.init(.down, spacing: 12)
        styled("page")
        append(heading)
        append(empty.margin(across: 0, down: 12))
        append(none.margin(across: 0, down: 12))
        append(list)
    }

    /// Shows those of the mates who were found; rows that stay keep their position and focus. If
    /// there are no mates, it shows how the user can find some.
    func show(
        _ found: [MateList.Mate], of mates: [MateList.Mate], now: Timestamp,
        waysToMeet: [PanelAction]
    ) {
        self.mates = Dictionary(
            found.map { ($0.person, $0) }, uniquingKeysWith: { first, _ in first })
        self.now = now
        list.show(found.map(\.person))
        heading.text = MateText.heading(of: mates)
        heading.isVisible = !mates.isEmpty
        empty.isVisible = mates.isEmpty
        none.isVisible = found.isEmpty && !mates.isEmpty
        list.isVisible = !found.isEmpty
        show(waysToMeet)
    }

    /// Moves the keyboard focus to the first mate.
    func focusFirst() { if let first = list.ids.first { list.focus(first) } }

    private func show(_ waysToMeet: [PanelAction]) {
        guard waysToMeet.map(\.title) != shownWays else { return }
        shownWays = waysToMeet.map(\.title)
        ways.replaceChildren(with: waysToMeet.map { $0.makeButton() })
    }

    private func makeList() -> VirtualList<Key, MateRow> {
        VirtualList(names, place: names.replaceRows) { [context, own] person in
            MateRow(
                person: person, photos: context.personPhotos,
                actions: { context.actions(for: .person(person)) },
                own: { own(person) })
        } show: { [weak self] row, person in
            guard let self, let mate = mates[person] else { return }
            let people = context.people
            row.update(
                mate, name: people.name(of: person),
                way: people.way(to: mate.location?.coordinate),
                measured: people.measuredWay(to: mate.person, now: now), now: now)
            row.fileToDrag = context.dragging(contact(person))
        }
    }
}

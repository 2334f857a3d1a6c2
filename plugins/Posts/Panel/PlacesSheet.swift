import Contract
import FeaturesAPI
import GtkKit
import PanelKit

/// The sheet of the joined neighbourhoods.
@MainActor
final class PlacesSheet: Sheet {
    /// Called when the sheet is to be closed.
    var onClose: @MainActor () -> Void = {}
    /// Called with a neighbourhood to leave.
    var onLeave: @MainActor (NeighbourhoodList.Entry) -> Void = { _ in }
    /// The field that joins another one.
    let join = JoinView(isFirst: false)

    private let list = RowList().role(.list).named(localized("Your neighbourhoods"))
    private let close = Button(localized("Close"))
    private var shown: [NeighbourhoodList.Entry]?

    init() {
        super.init(title: localized("Your neighbourhoods"))
        append(list)
        append(Label(localized("Join another one")).styled("heading"))
        append(join)
        setButtons([close])
        close.onClick { [weak self] in self?.onClose() }
    }

    /// Shows the joined neighbourhoods.
    func show(_ places: [NeighbourhoodList.Entry]) {
        guard places != shown else { return }
        shown = places
        list.isVisible = !places.isEmpty
        list.replaceRows(
            with: places.map { place in
                let name = place.name.string
                let count = place.peopleCount.value
                let row = ActionRow(
                    name,
                    subtitle: localized(
                        Sentence(
                            count: count, one: "1 person has written there",
                            other: "\(count) people have written there")))
                let leave = Button(localized("Leave…")).named(localized("Leave \(name)"))
                leave.onClick { [weak self] in self?.onLeave(place) }
                row.addSuffix(leave)
                return row.stackedIfLarge()
            })
    }

    /// Moves the keyboard focus to the button that closes the sheet.
    func focusClose() { close.grabFocus() }
}

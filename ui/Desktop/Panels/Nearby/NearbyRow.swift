import Contract
import FeaturesAPI
import GtkKit
import PanelKit

/// A person nearby: name, distance, direction, since when they are here, and what the other panels
/// can do with them. The first of those actions has a button, the others a menu.
@MainActor
final class NearbyRow: Box {
    private let name = Label().styled("row-title").width(characters: 28)
    private let detail = Label().styled("dim").width(characters: 28)
    private let first: Button
    private let more: MenuButton
    private let actions: @MainActor () -> [PanelAction]

    /// Creates a row for the person of a device.
    init(_ person: NearbyList.Person, _ context: PanelContext) {
        let offers = [person.mate ? person.person.map(Offer.person) : nil, .device(person.device)]
        let actions: @MainActor () -> [PanelAction] = {
            offers.compactMap { $0 }.flatMap(context.actions)
        }
        self.actions = actions
        first = Button("") { actions().first?.perform() }
        more = MenuButton { Array(actions().dropFirst()) }
        super.init(.across, spacing: 12)
        styled("item").role(.listItem)
        append(Avatar(key: (person.person ?? person.device).string).aligned(.centre, .start))
        let buttons = Box(.across, spacing: 6, [first.expanding(across: true), more])
        append(
            Box(.down, spacing: 2, [name, detail, buttons.margin(across: 0, down: 4)])
                .expanding(across: true).aligned(.fill, .centre))
    }

    /// Shows the person as they are now.
    func show(_ person: NearbyList.Person, now: Timestamp) {
        name.text = person.title
        detail.text = person.detail(now: now)
        let title = actions().first?.title
        first.isVisible = title != nil
        first.text = title ?? ""
        let called = person.name?.string ?? person.title
        first.named("\(called): \(first.text)")
        more.update()
        more.titled("More for \(called)")
        named("\(person.title). \(detail.text)")
    }
}

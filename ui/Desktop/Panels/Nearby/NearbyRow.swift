import Contract
import FeaturesAPI
import GtkKit
import PanelKit

/// A person nearby: name, distance, direction, since when they are here, and what the other panels
/// can do with them. The first of those actions has a button, the others a menu.
@MainActor
final class NearbyRow: ActionRow {
    /// The texts of a row; a row whose texts stay the same is not touched.
    struct Content: Equatable {
        var title: String
        var detail: String
        var name: String
        var actions: [String]
    }

    private let avatar: Avatar
    private let first: Button
    private let more: MenuButton
    private let actions: @MainActor () -> [PanelAction]
    private var shown: Content?

    /// Creates a row for the person of a device.
    init(_ person: NearbyList.Person, _ context: PanelContext) {
        let offers = [person.mate ? person.person.map(Offer.person) : nil, .device(person.device)]
        let actions: @MainActor () -> [PanelAction] = {
            offers.compactMap { $0 }.flatMap(context.actions)
        }
        self.actions = actions
        first = Button("") { actions().first?.perform() }
        more = MenuButton { Array(actions().dropFirst(TextScale.isLarge ? 0 : 1)) }.flat()
        avatar = Avatar(key: (person.person ?? person.device).string)
        super.init()
        addPrefix(avatar)
        addSuffix(first)
        addSuffix(more)
    }

    /// Shows the person as they are now.
    /// - Parameters:
    ///   - title: what they are called here.
    ///   - way: the distance and the direction, if they are known.
    func show(_ person: NearbyList.Person, title: String, way: String?, now: Timestamp) {
        let content = Content(
            title: title, detail: person.detail(way: way, now: now),
            name: person.name?.string ?? "", actions: actions().map(\.title))
        guard content != shown else { return }
        shown = content
        avatar.show(name: content.name)
        self.title = content.title
        subtitle = content.detail
        let isLarge = TextScale.isLarge
        first.isVisible = !content.actions.isEmpty && !isLarge
        let action = actions().first
        first.text = action?.shortTitle ?? action?.title ?? ""
        let called = content.name.isEmpty ? content.title : content.name
        let full = "\(called): \(action?.title ?? "")"
        first.named(full).tooltip(full)
        more.update()
        more.isVisible = content.actions.count > (isLarge ? 0 : 1)
        more.titled(localized("More for \(called)"))
        named("\(content.title). \(content.detail)")
    }
}

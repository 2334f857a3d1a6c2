import GtkKit
import PanelKit

/// A person nearby: name, distance, direction, since when they are here, and what the other panels
/// can do with them. The first of those actions has a button, the others a menu.
@MainActor
final class NearbyRow: ActionRow {
    private let avatar: Avatar
    private let first: Button
    private let more: MenuButton
    private let actions: @MainActor () -> [PanelAction]
    private var shown: NearbyEntry?
    private var shownActions: [String] = []

    /// Creates a row for a person.
    init(_ entry: NearbyEntry, _ context: PanelContext) {
        let actions: @MainActor () -> [PanelAction] = { entry.offers.flatMap(context.actions) }
        self.actions = actions
        first = Button("") { actions().first?.perform() }
        more = MenuButton { Array(actions().dropFirst(TextScale.isLarge ? 0 : 1)) }.flat()
        avatar = Avatar(key: entry.avatarKey)
        super.init()
        addPrefix(avatar)
        addSuffix(first)
        addSuffix(more)
    }

    /// Shows the person as they are now. A row whose texts stay the same is not touched.
    func show(_ entry: NearbyEntry) {
        let titles = actions().map(\.title)
        guard entry != shown || titles != shownActions else { return }
        (shown, shownActions) = (entry, titles)
        avatar.show(name: entry.name)
        title = entry.title
        subtitle = entry.detail.breakingBetweenParts
        let isLarge = TextScale.isLarge
        first.isVisible = !titles.isEmpty && !isLarge
        let action = actions().first
        first.text = action?.shortTitle ?? action?.title ?? ""
        let called = entry.name.isEmpty ? entry.title : entry.name
        let full = "\(called): \(action?.title ?? "")"
        first.named(full).tooltip(full)
        more.update()
        more.isVisible = titles.count > (isLarge ? 0 : 1)
        more.titled(localized("More for \(called)"))
        named("\(entry.title). \(entry.detail)")
    }
}

import Contract
import FeaturesAPI
import GtkKit
import PanelKit

/// One mate in the list: name, presence, distance and dog. The first action of the other
/// panels has a button; the others, the map and the details are in a menu.
@MainActor
final class MateRow: ActionRow {
    /// The texts of a row; a row whose texts stay the same is not touched.
    struct Content: Equatable {
        var name: String
        var dog: String?
        var presence: String
        var whereabouts: String
        var hasLocation: Bool
        var actions: [String]
    }

    private let avatar: PersonAvatar
    private let first: Button
    private let more: MenuButton
    private let actions: @MainActor () -> [PanelAction]
    private var shown: Content?

    /// Creates a row for a person.
    /// - Parameters:
    ///   - actions: the actions of the other panels at this moment.
    ///   - own: the actions of the mates' own page, such as their details.
    init(
        person: Key, photos: PersonPhotos, actions: @escaping @MainActor () -> [PanelAction],
        own: @escaping @MainActor () -> [PanelAction]
    ) {
        self.actions = actions
        avatar = PersonAvatar(person, photos: photos)
        first = Button("") { actions().first?.perform() }
        more = MenuButton { actions().dropFirst(TextScale.isLarge ? 0 : 1) + own() }.flat()
        super.init()
        addPrefix(avatar)
        addSuffix(first)
        addSuffix(more)
    }

    /// Shows the mate as they are now; `way` is the distance and direction from the user by the
    /// location that they share, and `measured` replaces it.
    func update(
        _ mate: MateList.Mate, name: String, way: String?, measured: String?, now: Timestamp
    ) {
        let content = Content(
            name: name, dog: mate.profile.dogLine,
            presence: MateText.presence(of: mate, now: now),
            whereabouts: MateText.whereabouts(
                of: mate, way: way, measured: measured, now: now),
            hasLocation: mate.location != nil, actions: actions().map(\.title))
        avatar.showPhoto()
        guard content != shown else { return }
        shown = content
        avatar.show(name: mate.shownNickname?.string ?? "")
        title = name
        subtitle = [content.whereabouts.breakingBetweenParts, content.dog].compactMap { $0 }
            .joined(separator: "\n")
        first.isVisible = !content.actions.isEmpty && !TextScale.isLarge
        let action = actions().first
        first.text = action?.shortTitle ?? action?.title ?? ""
        let full = "\(name): \(action?.title ?? "")"
        first.named(full).tooltip(full)
        more.update()
        more.titled(localized("More for \(name)"))
        named("\(name). \(content.presence)")
    }
}

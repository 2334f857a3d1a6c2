import Contract
import FeaturesAPI
import GtkKit
import PanelKit

/// One mate in the list: name, presence, last location, a button to show them on the map, and the
/// actions of other panels for this mate. The first of those actions has a button, the others a
/// menu.
@MainActor
final class MateRow: Box {
    private let name = Label().styled("row-title").width(characters: 26)
    private let dog = Label().styled("dim").width(characters: 26)
    private let presence = Label().width(characters: 26)
    private let location = Label().styled("dim").width(characters: 26)
    private let first: Button
    private let show: Button
    private let more: MenuButton
    private let actions: @MainActor () -> [PanelAction]

    /// Creates a row for a person.
    /// - Parameter actions: the actions of the other panels at this moment.
    init(
        person: Key, actions: @escaping @MainActor () -> [PanelAction],
        onShow: @escaping @MainActor () -> Void
    ) {
        self.actions = actions
        first = Button("") { actions().first?.perform() }
        more = MenuButton { Array(actions().dropFirst()) }
        show = Button(icon: "mark-location-symbolic", name: "Show on the map", onShow)
        super.init(.across, spacing: 12)
        styled("row").role(.listItem)
        append(Avatar(key: person.string))
        let buttons = Box(.across, spacing: 6, [first.expanding(across: true), show, more])
        let texts = Box(
            .down, spacing: 2,
            [name, dog, presence, location, buttons.margin(across: 0, down: 4)])
        append(texts.expanding(across: true))
    }

    /// Shows the mate as they are now; `distance` is from the user's own location, in metres.
    func update(_ mate: MateList.Mate, name text: String, now: Timestamp, distance: Double?) {
        name.text = text
        dog.text = mate.profile.dogLine ?? ""
        dog.isVisible = mate.profile.dogLine != nil
        presence.text = MateText.presence(of: mate, now: now)
        presence.setStyle("present", on: mate.present)
        presence.setStyle("dim", on: !mate.present)
        location.text = MateText.location(of: mate, distance: distance, now: now) ?? ""
        location.isVisible = mate.location != nil
        let title = actions().first?.title
        first.isVisible = title != nil
        first.text = title ?? ""
        first.named("\(text): \(first.text)")
        more.update()
        more.titled("More for \(text)")
        show.isEnabled = mate.location?.coordinate != nil
        show.named("Show \(text) on the map")
        named("\(text). \(presence.text)")
    }
}

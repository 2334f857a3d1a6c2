import Contract
import FeaturesAPI
import GtkKit
import PanelKit

/// One mate in the list: name, presence, last location, and buttons to ask and to show them.
@MainActor
final class MateRow: Box {
    private let name = Label().styled("row-title").width(characters: 26)
    private let dog = Label().styled("dim").width(characters: 26)
    private let presence = Label().width(characters: 26)
    private let place = Label().styled("dim").width(characters: 26)
    private let ask: Button
    private let show: Button

    /// Creates a row for a person, with the actions of its two buttons.
    init(
        person: Key, onAsk: @escaping @MainActor () -> Void,
        onShow: @escaping @MainActor () -> Void
    ) {
        ask = Button("Ask for a walk", onAsk)
        show = Button(icon: "mark-location-symbolic", name: "Show on the map", onShow)
        super.init(.across, spacing: 12)
        styled("row").role(.listItem)
        append(Avatar(key: person.string))
        let buttons = Box(.across, spacing: 6, [ask.expanding(across: true), show])
        let texts = Box(
            .down, spacing: 2,
            [name, dog, presence, place, buttons.margin(across: 0, down: 4)])
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
        place.text = MateText.place(of: mate, distance: distance, now: now) ?? ""
        place.isVisible = mate.place != nil
        ask.isEnabled = mate.state == .mate
        ask.named("Ask \(text) for a walk")
        show.isEnabled = mate.place?.coordinate != nil
        show.named("Show \(text) on the map")
        named("\(text). \(presence.text)")
    }
}

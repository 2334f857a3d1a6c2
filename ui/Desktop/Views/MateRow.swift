import GtkKit

/// One mate in the list: who, whether they are here, where they were, and the way to ask them out.
@MainActor
final class MateRow: Box {
    private let name = Label().styled("row-title").width(characters: 26)
    private let dog = Label().styled("dim").width(characters: 26)
    private let presence = Label().width(characters: 26)
    private let place = Label().styled("dim").width(characters: 26)
    private let ask: Button
    private let show: Button

    /// A row for a person, with what its two buttons do.
    init(
        person: String, onAsk: @escaping @MainActor () -> Void,
        onShow: @escaping @MainActor () -> Void
    ) {
        ask = Button("Ask for a walk", onAsk)
        show = Button(icon: "mark-location-symbolic", name: "Show on the map", onShow)
        super.init(.across, spacing: 12)
        styled("row").role(.listItem)
        append(Avatar(key: person))
        let buttons = Box(.across, spacing: 6, [ask.expanding(across: true), show])
        let texts = Box(
            .down, spacing: 2,
            [name, dog, presence, place, buttons.margin(across: 0, down: 4)])
        append(texts.expanding(across: true))
    }

    /// Shows the mate as they are now; `distance` is from one's own place, in metres.
    func update(_ mate: Mate, name text: String, nowMs: Int64, distance: Double?) {
        name.text = text
        dog.text = mate.profile.dogLine ?? ""
        dog.isVisible = mate.profile.dogLine != nil
        presence.text = MateText.presence(of: mate, nowMs: nowMs)
        presence.setStyle("present", on: mate.present)
        presence.setStyle("dim", on: !mate.present)
        place.text = MateText.place(of: mate, distance: distance, nowMs: nowMs) ?? ""
        place.isVisible = mate.place != nil
        ask.isEnabled = mate.state == .mate
        ask.named("Ask \(text) for a walk")
        show.isEnabled = mate.place?.coordinate != nil
        show.named("Show \(text) on the map")
        named("\(text). \(presence.text)")
    }
}

import GtkKit
import PanelKit

/// The line under the map: the chosen location, typed or clicked, and the actions for it.
@MainActor
final class LocationBar: Box {
    /// Called when a location was typed.
    var onChoose: @MainActor (Coordinate) -> Void = { _ in }
    /// Called when the line is no longer wanted: its text was removed and the Enter key pressed.
    var onLeave: @MainActor () -> Void = {}
    /// Called when the chosen location becomes the user's own.
    var onSetLocation: @MainActor (Coordinate) -> Void = { _ in }

    private let entry = Entry(width: 12, placeholder: localized("Click on the map"))
        .named(localized("Chosen point"))
    private let here = Button(localized("I am here")).named(
        localized("I am here: set the chosen point as my location"))
    private let context: PanelContext
    private lazy var more = MenuButton { [weak self] in self?.actions ?? [] }
        .titled(localized("More for the chosen point"))
    private var chosen: Coordinate?
    /// The location that was chosen on the map, with its text, which may be less precise.
    private var clicked: (location: Coordinate, text: String)?

    /// The line is too short for more decimals of large text; four are about ten metres.
    private static var decimals: Int { TextScale.isLarge ? 4 : 5 }

    /// Creates the line of the panel with this context.
    init(_ context: PanelContext) {
        self.context = context
        super.init(.across, spacing: 4)
        styled("location-choice")
        append(entry.expanding(across: true))
        append(Box(.across, spacing: 4, [here.expanding(across: true), more]).expanding())
        entry.tooltip(
            localized(
                "The chosen point, in degrees north and east, such as 37.5665, 126.978. "
                    + "Enter moves the map there."))
        entry.onChange { [weak self] in self?.update() }
        entry.onEnter { [weak self] in
            guard let self else { return }
            if let chosen { onChoose(chosen) } else if entry.text.trimmed.isEmpty { onLeave() }
        }
        here.onClick { [weak self] in
            guard let self, let chosen else { return }
            onSetLocation(chosen)
        }
        update()
    }

    /// Shows the location that was chosen on the map.
    func show(_ location: Coordinate?) {
        clicked = location.map { (location: $0, text: $0.typed(decimals: Self.decimals)) }
        entry.text = clicked?.text ?? ""
        update()
    }

    /// Whether there is a text, of a chosen location or typed.
    var hasText: Bool { !entry.text.trimmed.isEmpty }

    /// Moves the keyboard focus to the text.
    func focusEntry() { entry.grabFocus() }

    /// The actions of other panels for the chosen location.
    private var actions: [PanelAction] {
        chosen.map { context.actions(for: .location($0, name: nil)) } ?? []
    }

    /// Enables the buttons that apply to the chosen location.
    func update() {
        chosen =
            clicked.flatMap { $0.text == entry.text ? $0.location : nil }
            ?? Coordinate(text: entry.text)
        here.isEnabled = chosen != nil
        more.update()
        entry.setStyle("error", on: chosen == nil && !entry.text.trimmed.isEmpty)
    }
}

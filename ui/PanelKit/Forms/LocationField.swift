public import GtkKit

/// The line of a form that says where to meet, with a button to choose another location on the map.
@MainActor
public final class LocationField: Box {
    private let label = Label().width(characters: 34)
    private let button = Button(localized("Choose on the map…")).aligned(.start)

    /// Creates a field without a location.
    /// - Parameter onChoose: called when the user wants to choose one.
    public init(onChoose: @escaping @MainActor () -> Void) {
        super.init(.down, spacing: 6)
        append(label)
        append(button)
        button.onClick(onChoose)
        show(nil)
    }

    /// Shows a location; nil shows that one is needed.
    public func show(_ point: MeetingPoint?) {
        label.text = point?.sentence ?? localized("Choose where to meet: no location is known yet.")
        button.setStyle("suggested-action", on: point == nil)
    }

    /// Moves the keyboard focus to the button.
    public func focusButton() { button.grabFocus() }
}

import CGtk

/// A button that brings one page of several to the front: an icon, the title, and a badge for what
/// waits there. Of the buttons made beside each other exactly one is pressed.
///
/// ```swift
/// let chat = PageButton(icon: "user-available-symbolic", title: "Chat", beside: mates)
/// chat.badge = Badge(count: 3)  // A screen reader says "Chat (3)".
/// ```
public final class PageButton: Widget {
    private let title: String
    private let label: Label
    private let count = Label().styled("badge").centred().onOneLine().aligned(.end, .centre)

    /// Creates a button, pressed if it is the first one.
    /// - Parameters:
    ///   - other: Any button of the same set; nil begins a set.
    ///   - isCompact: Whether it shows the icon with the badge, and the title as a tooltip.
    public init(icon: String, title: String, beside other: PageButton?, isCompact: Bool) {
        self.title = title
        label = Label(title).onOneLine()
        let group: UnsafeMutablePointer<GtkRadioButton>? =
            unsafe other?.cast(gtk_radio_button_get_type())
        unsafe super.init(owning: gtk_radio_button_new_from_widget(group))
        unsafe gtk_toggle_button_set_mode(cast(gtk_toggle_button_get_type()), 0)
        let content = isCompact ? compact(icon) : wide(icon)
        unsafe gtk_container_add(cast(gtk_container_get_type()), content.gtk)
        styled("flat", "page-button").named(title)
        setStyle("compact", on: isCompact)
        if isCompact { tooltip(title) }
        self.content = content
    }

    private var content: Widget?

    /// The icon, the title and the badge. The badge keeps its room while it is empty, so that the
    /// button never changes its width.
    private func wide(_ icon: String) -> Widget {
        Box(.across, spacing: 10, [Icon(icon), label.expanding(across: true), count])
    }

    /// The least width of an icon with its badge, and its height with texts of the usual size: ten
    /// buttons have room beside each other in the narrowest window.
    private static let compactPixels: Int32 = 24

    /// Returns an icon in the place that it has in a compact button: if texts are large, at the
    /// lower end, since a large badge has the room above it. Buttons without a badge in the same
    /// line show it so that all icons stand at one height.
    public static func compactIcon(_ icon: String) -> Box {
        let symbol = Icon(icon).aligned(.centre, TextScale.isLarge ? .end : .centre)
            .expanding(across: true, down: true)
        let height = Int32((Double(compactPixels) * TextScale.now).rounded())
        return Box(.across, [symbol]).minimum(width: compactPixels, height: height)
    }

    /// The icon, with the badge over its corner.
    private func compact(_ icon: String) -> Widget {
        let overlay = Overlay(over: Self.compactIcon(icon))
        overlay.float(count.aligned(.end, .start), letsPointerThrough: true)
        return overlay
    }

    /// The number of things that wait on the page.
    public var badge = Badge(count: 0) {
        didSet {
            guard badge != oldValue else { return }
            count.text = badge.text
            count.setStyle("waiting", on: badge.count > 0)
            named(badge.name(of: title))
        }
    }

    /// Whether the button is pressed.
    public var isOn: Bool {
        get { unsafe gtk_toggle_button_get_active(cast(gtk_toggle_button_get_type())) != 0 }
        set {
            unsafe gtk_toggle_button_set_active(
                cast(gtk_toggle_button_get_type()), newValue ? 1 : 0)
        }
    }

    /// Calls `action` whenever the button is pressed in place of another one.
    public func onPress(_ action: @escaping @MainActor () -> Void) {
        let press: @MainActor () -> Void = { [weak self] in
            if self?.isOn == true { action() }
        }
        unsafe Signal.connect(gtk, "toggled", press)
    }
}

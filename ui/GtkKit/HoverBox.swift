import CGtk

/// A view that has the style class `hovered` while the pointer is over it, so that its content can
/// show more then, and that opens a menu for the secondary button and the Menu key.
open class HoverBox: Widget {
    /// Opens the menu of the view.
    public var onMenu: @MainActor () -> Void = {}

    private let content: Widget
    /// The view that the pointer entered last. A control of its content may have received the
    /// pointer's leaving, so the next view that is entered ends it too.
    private static weak var hovered: HoverBox?

    /// Creates a view of `content`.
    public init(_ content: Widget) {
        self.content = content
        unsafe super.init(owning: gtk_event_box_new())
        // With a window of its own, GTK would report the content as hidden once it is scrolled.
        unsafe gtk_event_box_set_visible_window(cast(gtk_event_box_get_type()), 0)
        unsafe gtk_container_add(cast(gtk_container_get_type()), content.gtk)
        let events = [GDK_ENTER_NOTIFY_MASK, GDK_LEAVE_NOTIFY_MASK, GDK_BUTTON_PRESS_MASK]
        let mask = events.reduce(0) { $0 | $1.rawValue }
        unsafe gtk_widget_add_events(gtk, Int32(bitPattern: mask))
        connectPointer()
        unsafe Signal.connect(
            gtk, "popup-menu",
            deciding: { [weak self] in
                self?.onMenu()
                return self != nil
            })
    }

    private func connectPointer() {
        unsafe Signal.connect(gtk, "enter-notify-event") { [weak self] _ in
            Self.hovered?.setStyle("hovered", on: false)
            Self.hovered = self
            self?.setStyle("hovered", on: true)
            return false
        }
        unsafe Signal.connect(gtk, "leave-notify-event") { [weak self] event in
            guard let self, let event = unsafe event?.assumingMemoryBound(to: GdkEvent.self)
            else { return false }
            var place = Point(x: -1, y: -1)
            unsafe gdk_event_get_coords(event, &place.x, &place.y)
            // The pointer is still inside if it went to a control of the content.
            let isInside =
                (0..<size.width).contains(place.x) && (0..<size.height).contains(place.y)
            if !isInside { setStyle("hovered", on: false) }
            return false
        }
        onSecondaryButton { [weak self] in self?.onMenu() }
    }
}

extension Widget {
    /// Performs an action for the secondary button, in place of the widget's own.
    func onSecondaryButton(_ action: @escaping @MainActor () -> Void) {
        unsafe Signal.connect(gtk, "button-press-event") { event in
            var button: UInt32 = 0
            guard let event = unsafe event?.assumingMemoryBound(to: GdkEvent.self),
                unsafe gdk_event_get_button(event, &button) != 0,
                Int32(bitPattern: button) == GDK_BUTTON_SECONDARY
            else { return false }
            action()
            return true
        }
    }
}

import CGtk

/// An action of the pointer on a canvas.
public enum PointerEvent: Equatable, Sendable {
    case pressed(Point)
    case moved(Point)
    case released(Point)
    /// The secondary button was pressed, which opens a menu.
    case menu(Point)
    /// The wheel turned by so many steps; more than 0 is away from the user.
    case wheel(steps: Double, at: Point)
}

/// A widget that paints itself and receives the pointer and the keyboard.
open class Canvas: Widget {
    private let texts = TextCache()

    /// Creates an empty canvas. One that is not focusable receives no pointer or keys.
    public init(isFocusable: Bool = true) {
        unsafe super.init(owning: gtk_drawing_area_new())
        connectDrawing()
        guard isFocusable else { return }
        unsafe gtk_widget_set_can_focus(gtk, 1)
        let events: [GdkEventMask] = [
            GDK_BUTTON_PRESS_MASK, GDK_BUTTON_RELEASE_MASK, GDK_BUTTON1_MOTION_MASK,
            GDK_SCROLL_MASK, GDK_SMOOTH_SCROLL_MASK, GDK_KEY_PRESS_MASK,
        ]
        let mask = events.reduce(0) { $0 | $1.rawValue }
        unsafe gtk_widget_add_events(gtk, Int32(bitPattern: mask))
        connectKeyboard()
        connectPointer()
    }

    /// Paints the canvas; a subclass defines how.
    open func paint(_ painter: Painter) {}

    /// Processes an action of the pointer.
    open func pointer(_ event: PointerEvent) {}

    /// Processes a key. Returns whether the canvas used it.
    open func key(_ key: KeyboardKey) -> Bool { false }

    /// Opens the menu of the canvas, for the Menu key or Shift+F10. Returns whether it has one.
    open func openMenu() -> Bool { false }

    /// Called when the keyboard focus arrives or leaves.
    open func focusChanged(hasFocus: Bool) {}

    /// Asks to be painted again soon.
    public func redraw() {
        unsafe gtk_widget_queue_draw(gtk)
    }

    private func connectDrawing() {
        unsafe Signal.connect(gtk, "draw") { [weak self] cairo in
            guard let self, let cairo = unsafe cairo else { return false }
            unsafe texts.begin(for: gtk)
            let painter = unsafe Painter(
                cairo: OpaquePointer(cairo), widget: gtk, texts: texts, size: size)
            paint(painter)
            texts.end()
            return true
        }
    }

    private func connectKeyboard() {
        unsafe Signal.connect(gtk, "key-press-event") { [weak self] event in
            var keyval: UInt32 = 0
            guard let self, let event = unsafe event?.assumingMemoryBound(to: GdkEvent.self),
                unsafe gdk_event_get_keyval(event, &keyval) != 0,
                let key = KeyboardKey(keyval: keyval)
            else { return false }
            return self.key(key)
        }
        unsafe Signal.connect(
            gtk, "popup-menu",
            deciding: { [weak self] in
                self?.openMenu() ?? false
            })
        for (name, hasFocus) in [("focus-in-event", true), ("focus-out-event", false)] {
            unsafe Signal.connect(gtk, name) { [weak self] _ in
                self?.focusChanged(hasFocus: hasFocus)
                self?.redraw()
                return false
            }
        }
    }

    private func connectPointer() {
        unsafe onPointer("button-press-event") { event, place in
            var button: UInt32 = 0
            unsafe gdk_event_get_button(event, &button)
            return switch Int32(bitPattern: button) {
            case GDK_BUTTON_PRIMARY: .pressed(place)
            case GDK_BUTTON_SECONDARY: .menu(place)
            default: nil
            }
        }
        unsafe onPointer("motion-notify-event") { _, place in .moved(place) }
        unsafe onPointer("button-release-event") { _, place in .released(place) }
        unsafe onPointer("scroll-event") { event, place in
            unsafe Self.wheelSteps(event).map { .wheel(steps: $0, at: place) }
        }
    }

    private func onPointer(
        _ signal: String,
        _ translate: @escaping @MainActor (UnsafeMutablePointer<GdkEvent>, Point) -> PointerEvent?
    ) {
        unsafe Signal.connect(gtk, signal) { [weak self] event in
            var place = Point(x: 0, y: 0)
            guard let self, let event = unsafe event?.assumingMemoryBound(to: GdkEvent.self),
                unsafe gdk_event_get_coords(event, &place.x, &place.y) != 0,
                let translated = unsafe translate(event, place)
            else { return false }
            switch translated {
            case .pressed, .menu: grabFocus()
            default: break
            }
            pointer(translated)
            return true
        }
    }

    private static func wheelSteps(_ event: UnsafeMutablePointer<GdkEvent>) -> Double? {
        var direction = GDK_SCROLL_SMOOTH
        if unsafe gdk_event_get_scroll_direction(event, &direction) != 0 {
            return direction == GDK_SCROLL_UP ? 1 : direction == GDK_SCROLL_DOWN ? -1 : nil
        }
        var across = 0.0
        var down = 0.0
        return unsafe gdk_event_get_scroll_deltas(event, &across, &down) != 0 ? -down : nil
    }
}

import CGtk

/// The position of a widget in the space that its parent gives it.
public enum Alignment: Sendable {
    case fill, start, centre, end

    var gtk: GtkAlign {
        switch self {
        case .fill: GTK_ALIGN_FILL
        case .start: GTK_ALIGN_START
        case .centre: GTK_ALIGN_CENTER
        case .end: GTK_ALIGN_END
        }
    }
}

/// A widget, and the owner of one reference to its GObject.
///
/// A container keeps the Swift objects of its children, so a tree lives as long as its window. The
/// only rule: closures given to a widget capture their owner weakly.
@MainActor
@safe
open class Widget {
    let gtk: UnsafeMutablePointer<GtkWidget>

    /// Owns a new widget: the floating reference becomes this object's own.
    init(owning widget: UnsafeMutablePointer<GtkWidget>?, isShown: Bool = true) {
        guard let widget = unsafe widget else {
            preconditionFailure("GTK made no widget, which it does only before it is initialised.")
        }
        unsafe self.gtk = widget
        unsafe g_object_ref_sink(widget)
        if isShown { unsafe gtk_widget_show(widget) }
    }

    isolated deinit {
        unsafe g_object_unref(gtk)
    }

    /// Returns the widget as one of its GObject classes, checked in debug builds.
    func cast<Instance>(
        _ type: @autoclosure () -> GType, to instance: Instance.Type = Instance.self
    ) -> UnsafeMutablePointer<Instance> {
        unsafe gtkCast(gtk, type())
    }

    /// Whether the widget takes part in the layout.
    public var isVisible: Bool {
        get { unsafe gtk_widget_get_visible(gtk) != 0 }
        set { unsafe gtk_widget_set_visible(gtk, newValue ? 1 : 0) }
    }

    /// Whether the widget is on the screen: shown, and on the page in front.
    public var isMapped: Bool { unsafe gtk_widget_get_mapped(gtk) != 0 }

    /// Calls `action` whenever the widget appears on the screen.
    public func onMap(_ action: @escaping @MainActor () -> Void) {
        unsafe Signal.connect(gtk, "map", action)
    }

    /// Calls `action` whenever the widget leaves the screen.
    public func onUnmap(_ action: @escaping @MainActor () -> Void) {
        unsafe Signal.connect(gtk, "unmap", action)
    }

    /// Whether the widget and its content can be used; never while its parent cannot.
    public var isEnabled: Bool {
        get { unsafe gtk_widget_is_sensitive(gtk) != 0 }
        set { unsafe gtk_widget_set_sensitive(gtk, newValue ? 1 : 0) }
    }

    /// Whether the widget has the keyboard focus.
    public var hasFocus: Bool { unsafe gtk_widget_has_focus(gtk) != 0 }

    /// Whether the widget or one inside it has the keyboard focus of its window.
    public var containsFocus: Bool {
        let window = unsafe gtk_widget_get_toplevel(gtk)
        guard let window = unsafe window, unsafe gtk_widget_is_toplevel(window) != 0,
            let focused = unsafe gtk_window_get_focus(gtkCast(window, gtk_window_get_type()))
        else { return false }
        return unsafe focused == gtk || gtk_widget_is_ancestor(focused, gtk) != 0
    }

    /// Width and height in pixels, as laid out last.
    public var size: Size {
        unsafe Size(
            width: Double(gtk_widget_get_allocated_width(gtk)),
            height: Double(gtk_widget_get_allocated_height(gtk)))
    }

    /// The width in pixels that the widget asks for if it may have any: that of its texts without
    /// line breaks.
    public var naturalWidth: Double {
        var width = Int32(0)
        unsafe gtk_widget_get_preferred_width(gtk, nil, &width)
        return Double(width)
    }

    /// Returns the distance of the widget's start from that of a widget around it, in pixels, as
    /// laid out last; nil if it is not inside.
    public func start(in outer: Widget) -> Double? {
        var (x, y) = (Int32(0), Int32(0))
        guard unsafe gtk_widget_translate_coordinates(gtk, outer.gtk, 0, 0, &x, &y) != 0 else {
            return nil
        }
        return Double(x)
    }

    /// Calls `action` after the widget was laid out with another size.
    public func onResize(_ action: @escaping @MainActor (Size) -> Void) {
        var last: Size?
        unsafe Signal.connect(
            gtk, "size-allocate",
            pointer: { [weak self] _ in
                guard let self, size != last else { return }
                last = size
                // GTK is laying out now; what the action shows or hides needs the next layout.
                Task { [weak self] in if let self { action(size) } }
            })
    }

    /// Whether no widget of the window has the keyboard focus, as after the focused one was hidden.
    public var isFocusLost: Bool {
        let window = unsafe gtk_widget_get_toplevel(gtk)
        guard let window = unsafe window, unsafe gtk_widget_is_toplevel(window) != 0 else {
            return false
        }
        return unsafe gtk_window_get_focus(
            UnsafeMutableRawPointer(window).assumingMemoryBound(to: GtkWindow.self)) == nil
    }

    /// Moves the keyboard focus here, unless a sheet lies above.
    public func grabFocus() {
        guard !isUnderSheet else { return }
        unsafe realizeForFocus(gtk)
        unsafe gtk_widget_grab_focus(gtk)
    }

    /// Adds style classes of the style sheet.
    @discardableResult
    public func styled(_ classes: String...) -> Self {
        let context = unsafe gtk_widget_get_style_context(gtk)
        for name in classes { unsafe gtk_style_context_add_class(context, name) }
        return self
    }

    /// Adds or removes one style class.
    public func setStyle(_ name: String, on isOn: Bool) {
        let context = unsafe gtk_widget_get_style_context(gtk)
        if isOn {
            unsafe gtk_style_context_add_class(context, name)
        } else {
            unsafe gtk_style_context_remove_class(context, name)
        }
    }

    /// Uses all free space in the given directions.
    @discardableResult
    public func expanding(across: Bool = false, down: Bool = false) -> Self {
        unsafe gtk_widget_set_hexpand(gtk, across ? 1 : 0)
        unsafe gtk_widget_set_vexpand(gtk, down ? 1 : 0)
        return self
    }

    /// Aligns the widget in its space.
    @discardableResult
    public func aligned(_ across: Alignment, _ down: Alignment = .fill) -> Self {
        unsafe gtk_widget_set_halign(gtk, across.gtk)
        unsafe gtk_widget_set_valign(gtk, down.gtk)
        return self
    }

    /// Leaves so many pixels free on every side.
    @discardableResult
    public func margin(_ pixels: Int32) -> Self {
        margin(across: pixels, down: pixels)
    }

    /// Leaves so many pixels free left and right, and above and below.
    @discardableResult
    public func margin(across: Int32, down: Int32) -> Self {
        unsafe gtk_widget_set_margin_start(gtk, across)
        unsafe gtk_widget_set_margin_end(gtk, across)
        unsafe gtk_widget_set_margin_top(gtk, down)
        unsafe gtk_widget_set_margin_bottom(gtk, down)
        return self
    }

    /// Requests at least this size in pixels; −1 requests none for a side.
    @discardableResult
    public func minimum(width: Int32 = -1, height: Int32 = -1) -> Self {
        unsafe gtk_widget_set_size_request(gtk, width, height)
        return self
    }

    /// Shows a sentence while the pointer rests here.
    @discardableResult
    public func tooltip(_ text: String) -> Self {
        unsafe gtk_widget_set_tooltip_text(gtk, text)
        return self
    }

    /// Hides the widget.
    @discardableResult
    public func hidden() -> Self {
        isVisible = false
        return self
    }
}

/// Prepares a widget that was never on the screen for the keyboard focus. GTK lets it have the
/// focus, and calls it a fault of the program when a key then arrives.
func realizeForFocus(_ widget: UnsafeMutablePointer<GtkWidget>) {
    guard unsafe gtk_widget_get_realized(widget) == 0,
        let window = unsafe gtk_widget_get_toplevel(widget),
        unsafe gtk_widget_is_toplevel(window) != 0, unsafe gtk_widget_get_realized(window) != 0
    else { return }
    unsafe gtk_widget_realize(widget)
}

/// Returns a GObject as one of its classes; a wrong class is our fault and stops a debug build.
func gtkCast<Instance>(
    _ pointer: UnsafeMutablePointer<GtkWidget>, _ type: @autoclosure () -> GType
) -> UnsafeMutablePointer<Instance> {
    let raw = UnsafeMutableRawPointer(pointer)
    let instance = unsafe raw.assumingMemoryBound(to: GTypeInstance.self)
    let isRight = unsafe g_type_check_instance_is_a(instance, type()) != 0
    assert(isRight, "The widget is of another class.")
    return unsafe raw.assumingMemoryBound(to: Instance.self)
}

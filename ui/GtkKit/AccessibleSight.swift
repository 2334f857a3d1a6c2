import CGtk

/// Mends the answers of GTK 3's widgets to screen readers in a scrolled view and under a sheet.
///
/// GTK compares the position of a widget in its own X window with the part of the view that is in
/// sight. A row of a list has an X window, so once a view is scrolled further than a list is high,
/// GTK says of its rows that they do not show, and gives no position. A screen reader then leaves
/// them out. Here the position in the view decides. GTK also knows nothing of a ``Cover``: here
/// what is covered counts as disabled, and neither takes the focus nor can be pressed. And what was
/// never on the screen is made ready for keys when a screen reader gives it the focus.
enum AccessibleSight {
    private typealias States =
        @convention(c) (UnsafeMutablePointer<AtkObject>?) -> UnsafeMutablePointer<AtkStateSet>?
    private typealias Extents =
        @convention(c) (
            OpaquePointer?, UnsafeMutablePointer<gint>?, UnsafeMutablePointer<gint>?,
            UnsafeMutablePointer<gint>?, UnsafeMutablePointer<gint>?, AtkCoordType
        ) -> Void
    private typealias Focus = @convention(c) (OpaquePointer?) -> gboolean
    private typealias Press = @convention(c) (OpaquePointer?, gint) -> gboolean

    // Written once by `mend()`, before GTK's main loop calls them on the same thread.
    nonisolated(unsafe) private static var states: States?
    nonisolated(unsafe) private static var extents: Extents?
    nonisolated(unsafe) private static var focus: Focus?
    nonisolated(unsafe) private static var press: Press?

    /// Replaces GTK's answers. It must be called before the first widget is made, since the classes
    /// of widgets copy them.
    static func mend() {
        guard let base = unsafe g_type_class_ref(gtk_widget_accessible_get_type()) else { return }
        unsafe mendStates(of: base)
        unsafe mendExtents(of: base)
        // GTK has copied the class of containers already, for its windows.
        if let container = unsafe g_type_class_ref(gtk_container_accessible_get_type()) {
            unsafe mendStates(of: container)
        }
        // Buttons of all kinds copy the class of the plain one.
        if let button = unsafe g_type_class_ref(gtk_button_accessible_get_type()) {
            unsafe mendPresses(of: button)
        }
    }

    private static func mendStates(of kind: gpointer) {
        let object = unsafe kind.assumingMemoryBound(to: AtkObjectClass.self)
        if unsafe states == nil { unsafe states = unsafe object.pointee.ref_state_set }
        unsafe object.pointee.ref_state_set = { accessible in
            let set = unsafe AccessibleSight.states?(accessible)
            if let accessible = unsafe accessible,
                unsafe AccessibleSight.isInSight(UnsafeMutableRawPointer(accessible))
            {
                unsafe atk_state_set_add_state(set, ATK_STATE_SHOWING)
            }
            if let accessible = unsafe accessible,
                unsafe AccessibleSight.isCovered(UnsafeMutableRawPointer(accessible))
            {
                unsafe atk_state_set_remove_state(set, ATK_STATE_SENSITIVE)
                unsafe atk_state_set_remove_state(set, ATK_STATE_ENABLED)
            }
            return unsafe set
        }
    }

    private static func mendExtents(of kind: gpointer) {
        guard let interface = unsafe g_type_interface_peek(kind, atk_component_get_type()) else {
            return
        }
        let component = unsafe interface.assumingMemoryBound(to: AtkComponentIface.self)
        unsafe extents = unsafe component.pointee.get_extents
        unsafe component.pointee.get_extents = { accessible, x, y, width, height, kind in
            unsafe AccessibleSight.extents?(accessible, x, y, width, height, kind)
            guard let accessible = unsafe accessible, let x = unsafe x, let y = unsafe y,
                unsafe x.pointee == gint.min,
                let point = unsafe AccessibleSight.position(
                    UnsafeMutableRawPointer(accessible), kind)
            else { return }
            unsafe x.pointee = point.x
            unsafe y.pointee = point.y
        }
        unsafe focus = component.pointee.grab_focus
        unsafe component.pointee.grab_focus = { accessible in
            guard let accessible = unsafe accessible,
                unsafe !AccessibleSight.isCovered(UnsafeMutableRawPointer(accessible))
            else { return 0 }
            if let widget = unsafe AccessibleSight.widget(of: UnsafeMutableRawPointer(accessible)) {
                unsafe realizeForFocus(widget)
            }
            return unsafe AccessibleSight.focus?(accessible) ?? 0
        }
    }

    private static func mendPresses(of kind: gpointer) {
        guard let interface = unsafe g_type_interface_peek(kind, atk_action_get_type()) else {
            return
        }
        let action = unsafe interface.assumingMemoryBound(to: AtkActionIface.self)
        unsafe press = action.pointee.do_action
        unsafe action.pointee.do_action = { accessible, number in
            guard let accessible = unsafe accessible,
                unsafe !AccessibleSight.isCovered(UnsafeMutableRawPointer(accessible))
            else { return 0 }
            return unsafe AccessibleSight.press?(accessible, number) ?? 0
        }
    }

    private static func isCovered(_ accessible: UnsafeMutableRawPointer) -> Bool {
        guard let widget = unsafe widget(of: accessible) else { return false }
        return unsafe Cover.isOver(widget)
    }

    private static func widget(
        of accessible: UnsafeMutableRawPointer
    ) -> UnsafeMutablePointer<GtkWidget>? {
        unsafe gtk_accessible_get_widget(
            accessible.assumingMemoryBound(to: GtkAccessible.self))
    }

    /// Whether some of the widget is in the part of its scrolled view that is in sight.
    private static func isInSight(_ accessible: UnsafeMutableRawPointer) -> Bool {
        guard let widget = unsafe widget(of: accessible), unsafe gtk_widget_get_mapped(widget) != 0,
            let view = unsafe gtk_widget_get_ancestor(widget, gtk_viewport_get_type()),
            unsafe view != widget
        else { return false }
        var (x, y) = (gint(0), gint(0))
        guard unsafe gtk_widget_translate_coordinates(widget, view, 0, 0, &x, &y) != 0 else {
            return false
        }
        let right = unsafe x + gtk_widget_get_allocated_width(widget)
        let bottom = unsafe y + gtk_widget_get_allocated_height(widget)
        let (width, height) = unsafe (
            gtk_widget_get_allocated_width(view), gtk_widget_get_allocated_height(view)
        )
        return x < width && y < height && right > 0 && bottom > 0
    }

    /// The position of a widget in sight, in its window or on the screen.
    private static func position(
        _ accessible: UnsafeMutableRawPointer, _ kind: AtkCoordType
    ) -> (x: gint, y: gint)? {
        guard unsafe isInSight(accessible), let widget = unsafe widget(of: accessible),
            let window = unsafe gtk_widget_get_toplevel(widget)
        else { return nil }
        var (x, y) = (gint(0), gint(0))
        guard unsafe gtk_widget_translate_coordinates(widget, window, 0, 0, &x, &y) != 0 else {
            return nil
        }
        guard kind == ATK_XY_SCREEN, let surface = unsafe gtk_widget_get_window(window) else {
            return (x, y)
        }
        var (left, top) = (gint(0), gint(0))
        _ = unsafe gdk_window_get_origin(surface, &left, &top)
        return (left + x, top + y)
    }
}

import CGtk

/// Keeps the keyboard and screen readers out of what lies under a sheet.
///
/// A disabled widget would do that too, but GTK then styles everything in it anew, which takes
/// longer than a frame. A covered widget keeps its looks: Tab passes it by, it refuses the focus,
/// and a screen reader hears that nothing in it can be used. The pointer is left to the sheet's
/// scrim, which lies above.
enum Cover {
    /// Whether a widget is covered at present; one that never was has no mark.
    private enum Mark: Int {
        case covered = 1
        case uncovered
    }

    private static let quark = unsafe g_quark_from_string("waggle-cover")

    private static func mark(of widget: UnsafeMutablePointer<GtkWidget>) -> Mark? {
        let value = unsafe g_object_get_qdata(
            UnsafeMutableRawPointer(widget).assumingMemoryBound(to: GObject.self), quark)
        return Mark(rawValue: Int(bitPattern: value))
    }

    /// Whether a widget or one around it is covered.
    static func isOver(_ widget: UnsafeMutablePointer<GtkWidget>) -> Bool {
        var next = unsafe Optional(widget)
        while let each = unsafe next {
            if unsafe mark(of: each) == .covered { return true }
            unsafe next = gtk_widget_get_parent(each)
        }
        return false
    }

    /// Covers a widget with everything in it, or uncovers it. One that has the focus loses it.
    @MainActor
    static func set(_ isCovered: Bool, over widget: UnsafeMutablePointer<GtkWidget>) {
        let before = unsafe mark(of: widget)
        guard isCovered != (before == .covered) else { return }
        if before == nil { unsafe refuseTab(widget) }
        let mark = isCovered ? Mark.covered : .uncovered
        unsafe g_object_set_qdata(
            UnsafeMutableRawPointer(widget).assumingMemoryBound(to: GObject.self), quark,
            UnsafeMutableRawPointer(bitPattern: mark.rawValue))
        if isCovered { unsafe dropFocus(of: widget) }
    }

    /// Lets GTK look for the next widget of the Tab key elsewhere while this one is covered.
    private static func refuseTab(_ widget: UnsafeMutablePointer<GtkWidget>) {
        typealias Thunk = @convention(c) (gpointer?, GtkDirectionType, gpointer?) -> gboolean
        let thunk: Thunk = { part, _, _ in
            if let part = unsafe part,
                unsafe Cover.mark(of: part.assumingMemoryBound(to: GtkWidget.self)) == .covered
            {
                unsafe g_signal_stop_emission_by_name(part, "focus")
            }
            return 0
        }
        unsafe g_signal_connect_data(
            widget, "focus", unsafeBitCast(thunk, to: GCallback.self), nil, nil,
            GConnectFlags(rawValue: 0))
    }

    private static func dropFocus(of widget: UnsafeMutablePointer<GtkWidget>) {
        guard let top = unsafe gtk_widget_get_toplevel(widget),
            unsafe gtk_widget_is_toplevel(top) != 0
        else { return }
        let window: UnsafeMutablePointer<GtkWindow> = unsafe gtkCast(top, gtk_window_get_type())
        guard let focused = unsafe gtk_window_get_focus(window),
            unsafe gtk_widget_is_ancestor(focused, widget) != 0
        else { return }
        unsafe gtk_window_set_focus(window, nil)
    }

    /// Tells screen readers, which remember it, whether what is on the screen in a widget can be
    /// used now. What is disabled by itself could not be used before either.
    static func tellReaders(_ widget: UnsafeMutablePointer<GtkWidget>, isUsable: Bool) {
        guard unsafe gtk_widget_get_mapped(widget) != 0,
            unsafe gtk_widget_is_sensitive(widget) != 0
        else { return }
        let accessible = unsafe gtk_widget_get_accessible(widget)
        for state in [ATK_STATE_SENSITIVE, ATK_STATE_ENABLED] {
            unsafe atk_object_notify_state_change(
                accessible, AtkState(state.rawValue), isUsable ? 1 : 0)
        }
        let instance = unsafe UnsafeMutableRawPointer(widget)
            .assumingMemoryBound(to: GTypeInstance.self)
        guard unsafe g_type_check_instance_is_a(instance, gtk_container_get_type()) != 0 else {
            return
        }
        unsafe gtk_container_forall(
            gtkCast(widget, gtk_container_get_type()),
            { child, isUsable in
                guard let child = unsafe child else { return }
                unsafe Cover.tellReaders(child, isUsable: isUsable != nil)
            }, UnsafeMutableRawPointer(bitPattern: isUsable ? 1 : 0))
    }
}

extension Widget {
    /// Whether a sheet covers the widget or one around it, so that the keyboard and a screen reader
    /// cannot use it. Who shows the sheet sets this; its scrim keeps the pointer away.
    public var isUnderSheet: Bool {
        get { unsafe Cover.isOver(gtk) }
        set { unsafe Cover.set(newValue, over: gtk) }
    }

    /// Tells screen readers whether what the widget shows can be used now. It takes a few
    /// milliseconds, so it is called when the window is drawn.
    public func tellReadersOfCover() {
        unsafe Cover.tellReaders(gtk, isUsable: !isUnderSheet)
    }
}

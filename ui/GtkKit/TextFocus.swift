import CGtk

extension Widget {
    /// Whether a text that can be typed has the keyboard focus of the widget's window, so that
    /// nothing may take it away.
    public var isTextFocused: Bool {
        guard let window = unsafe gtk_widget_get_toplevel(gtk),
            unsafe gtk_widget_is_toplevel(window) != 0,
            let focused = unsafe gtk_window_get_focus(gtkCast(window, gtk_window_get_type()))
        else { return false }
        let instance = unsafe UnsafeMutableRawPointer(focused)
            .assumingMemoryBound(to: GTypeInstance.self)
        return [gtk_editable_get_type(), gtk_text_view_get_type()].contains {
            unsafe g_type_check_instance_is_a(instance, $0) != 0
        }
    }
}

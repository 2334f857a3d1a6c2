import CGtk

/// The bar at the top of a window: title, subtitle and controls.
public final class HeaderBar: Widget {
    private var controls: [Widget] = []

    /// A bar with the window's own buttons.
    public init(title: String) {
        unsafe super.init(owning: gtk_header_bar_new())
        unsafe gtk_header_bar_set_show_close_button(cast(gtk_header_bar_get_type()), 1)
        unsafe gtk_header_bar_set_title(cast(gtk_header_bar_get_type()), title)
    }

    /// The line under the title.
    public func setSubtitle(_ text: String) {
        unsafe gtk_header_bar_set_subtitle(cast(gtk_header_bar_get_type()), text)
    }

    /// Adds a control at the start of the bar.
    public func addAtStart(_ control: Widget) {
        controls.append(control)
        unsafe gtk_header_bar_pack_start(cast(gtk_header_bar_get_type()), control.gtk)
    }
}

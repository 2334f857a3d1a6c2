import CGtk

/// The bar at the top of a window: title, subtitle and controls.
public final class HeaderBar: Widget {
    private var controls: [Widget] = []

    /// Creates a bar with the window's own buttons.
    public init(title: String) {
        unsafe super.init(owning: hdy_header_bar_new())
        unsafe hdy_header_bar_set_show_close_button(cast(hdy_header_bar_get_type()), 1)
        unsafe hdy_header_bar_set_title(cast(hdy_header_bar_get_type()), title)
    }

    /// Sets the title.
    public func setTitle(_ text: String) {
        unsafe hdy_header_bar_set_title(cast(hdy_header_bar_get_type()), text)
    }

    /// Sets the line under the title.
    public func setSubtitle(_ text: String) {
        unsafe hdy_header_bar_set_subtitle(cast(hdy_header_bar_get_type()), text)
    }

    /// Adds a control at the start of the bar, no wider than it needs to be.
    public func addAtStart(_ control: Widget) {
        controls.append(control.expanding())
        unsafe hdy_header_bar_pack_start(cast(hdy_header_bar_get_type()), control.gtk)
    }

    /// Adds a control at the end of the bar, before the window's own buttons.
    public func addAtEnd(_ control: Widget) {
        controls.append(control.expanding())
        unsafe hdy_header_bar_pack_end(cast(hdy_header_bar_get_type()), control.gtk)
    }
}

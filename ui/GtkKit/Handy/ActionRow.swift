import CGtk

/// A row of a ``RowList``: a title, a dim line under it, and controls at both ends. All texts wrap.
open class ActionRow: Widget {
    /// Begins to make the file as which the row is dragged out of the window, and returns its path;
    /// nil if it cannot be dragged. The list has to be ``RowList/offeringFiles()``.
    public var fileToDrag: (@MainActor () -> String?)?

    private var controls: [Widget] = []

    /// Creates a row.
    public init(_ title: String = "", subtitle: String = "") {
        unsafe super.init(owning: hdy_action_row_new())
        unsafe hdy_action_row_set_title_lines(row, 0)
        unsafe hdy_action_row_set_subtitle_lines(row, 0)
        unsafe gtk_list_box_row_set_activatable(cast(gtk_list_box_row_get_type()), 0)
        self.title = title
        self.subtitle = subtitle
    }

    private var row: UnsafeMutablePointer<HdyActionRow> {
        unsafe cast(hdy_action_row_get_type())
    }

    private var preferencesRow: UnsafeMutablePointer<HdyPreferencesRow> {
        unsafe cast(hdy_preferences_row_get_type())
    }

    /// The text in the first line.
    public var title: String {
        get {
            let text = unsafe hdy_preferences_row_get_title(preferencesRow)
            return unsafe text.map { unsafe String(cString: $0) } ?? ""
        }
        set {
            guard newValue != title else { return }
            unsafe hdy_preferences_row_set_title(preferencesRow, newValue)
            // libhandy hides the labels of a row from screen readers.
            named(newValue)
        }
    }

    /// The dim text under the title; an empty one takes no space.
    public var subtitle: String {
        get {
            let text = unsafe hdy_action_row_get_subtitle(row)
            return unsafe text.map { unsafe String(cString: $0) } ?? ""
        }
        set {
            guard newValue != subtitle else { return }
            unsafe hdy_action_row_set_subtitle(row, newValue)
            described(newValue)
        }
    }

    /// Adds a widget before the texts, such as an ``Avatar``.
    public func addPrefix(_ widget: Widget) {
        controls.append(widget)
        unsafe hdy_action_row_add_prefix(row, widget.gtk)
    }

    /// Adds a control after the texts.
    public func addSuffix(_ widget: Widget) {
        controls.append(widget)
        widget.aligned(.end, .centre)
        unsafe gtk_container_add(cast(gtk_container_get_type()), widget.gtk)
    }

    /// Lays the controls below the texts, if texts are too large for controls beside them.
    @discardableResult
    public func stackedIfLarge() -> Self {
        // The row's one child is the box with everything in it.
        if TextScale.isLarge, let box = unsafe gtk_bin_get_child(cast(gtk_bin_get_type())) {
            unsafe gtk_orientable_set_orientation(
                OpaquePointer(box), GTK_ORIENTATION_VERTICAL)
            styled("stacked")
        }
        return self
    }

    /// Adds a control after the texts that a click anywhere on the row presses too.
    public func addMainSuffix(_ widget: Widget) {
        addSuffix(widget)
        unsafe gtk_list_box_row_set_activatable(cast(gtk_list_box_row_get_type()), 1)
        unsafe hdy_action_row_set_activatable_widget(row, widget.gtk)
    }

    /// Makes the whole row a button; without this, only its controls can be used.
    public func onActivate(_ action: @escaping @MainActor () -> Void) {
        unsafe gtk_list_box_row_set_activatable(cast(gtk_list_box_row_get_type()), 1)
        unsafe Signal.connect(gtk, "activated", action)
    }
}

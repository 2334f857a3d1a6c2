import CGtk

/// The kind of a widget for a screen reader, if GTK's own kind does not fit.
public enum AccessibleRole: Sendable {
    /// A picture that is only looked at.
    case picture
    /// A message that needs an answer soon.
    case alert
    /// A sheet that asks for input before the rest can be used.
    case dialog
    /// A group of controls that belong together.
    case group
    /// Rows of the same kind, and one of them.
    case list, listItem
    /// A picture that the user can interact with.
    case map
    /// A text that changes without an action of the user.
    case status

    var atk: AtkRole {
        switch self {
        case .alert: ATK_ROLE_ALERT
        case .dialog: ATK_ROLE_DIALOG
        case .group: ATK_ROLE_PANEL
        case .list: ATK_ROLE_LIST
        case .listItem: ATK_ROLE_LIST_ITEM
        case .map: ATK_ROLE_CANVAS
        case .picture: ATK_ROLE_IMAGE
        case .status: ATK_ROLE_STATUSBAR
        }
    }
}

extension Widget {
    /// Sets the name that a screen reader says and a test looks for.
    @discardableResult
    public func named(_ name: String) -> Self {
        unsafe atk_object_set_name(gtk_widget_get_accessible(gtk), name)
        return self
    }

    /// Adds a text that a screen reader says after the name.
    @discardableResult
    public func described(_ description: String) -> Self {
        unsafe atk_object_set_description(gtk_widget_get_accessible(gtk), description)
        return self
    }

    /// Sets the kind of the widget for a screen reader.
    @discardableResult
    public func role(_ role: AccessibleRole) -> Self {
        unsafe atk_object_set_role(gtk_widget_get_accessible(gtk), role.atk)
        return self
    }
}

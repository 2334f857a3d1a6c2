import CGtk

/// A style sheet could not be read.
public struct StylesheetFault: Error, CustomStringConvertible {
    /// What GTK says is wrong, with the file and line.
    public let description: String
}

/// What the whole application looks like.
@MainActor
public enum Stylesheet {
    /// Adds the rules of a CSS file.
    /// - Throws: ``StylesheetFault`` where it is missing or wrong; what stood before stays.
    public static func load(path: String) throws(StylesheetFault) {
        let provider = unsafe gtk_css_provider_new()
        defer { unsafe g_object_unref(provider) }
        var fault: UnsafeMutablePointer<GError>?
        guard unsafe gtk_css_provider_load_from_path(provider, path, &fault) != 0 else {
            defer { unsafe g_clear_error(&fault) }
            let reason = unsafe fault.map { unsafe String(cString: $0.pointee.message) }
            throw StylesheetFault(description: reason ?? "\(path) cannot be read.")
        }
        unsafe gtk_style_context_add_provider_for_screen(
            gdk_screen_get_default(), OpaquePointer(provider),
            UInt32(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
    }

    /// Looks for icons in this folder too.
    public static func addIcons(path: String) {
        unsafe gtk_icon_theme_append_search_path(gtk_icon_theme_get_default(), path)
    }

    /// Asks the theme for its dark variant, or for its light one.
    public static func preferDark(_ isDark: Bool) {
        var value = GValue()
        unsafe g_value_init(&value, GType(5 << 2))  // G_TYPE_BOOLEAN, a macro: fundamental 5.
        unsafe g_value_set_boolean(&value, isDark ? 1 : 0)
        unsafe g_object_set_property(
            UnsafeMutableRawPointer(gtk_settings_get_default())?
                .assumingMemoryBound(to: GObject.self),
            "gtk-application-prefer-dark-theme", &value)
        unsafe g_value_unset(&value)
    }
}

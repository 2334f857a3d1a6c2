import CGtk

/// A style sheet could not be read.
public struct StylesheetFault: Error, CustomStringConvertible {
    /// GTK's sentence about the fault, with the file and line.
    public let description: String
}

/// The look of the whole application.
@MainActor
public enum Stylesheet {
    /// Adds the rules of a CSS file.
    /// - Throws: ``StylesheetFault`` if it is missing or wrong; the rules before it stay.
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

    /// Adds a folder that is searched for icons.
    public static func addIcons(path: String) {
        unsafe gtk_icon_theme_append_search_path(gtk_icon_theme_get_default(), path)
    }
}

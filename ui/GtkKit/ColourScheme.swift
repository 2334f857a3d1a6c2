import CGtk

/// Light or dark, as the desktop's settings portal prefers, and at once when that changes.
@MainActor
public enum ColourScheme {
    /// Follows the desktop; light if the desktop prefers neither.
    public static func follow() {
        unsafe hdy_style_manager_set_color_scheme(
            hdy_style_manager_get_default(), HDY_COLOR_SCHEME_PREFER_LIGHT)
    }
}

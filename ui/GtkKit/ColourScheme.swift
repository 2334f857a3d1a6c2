import CGtk

/// Light or dark widgets.
public enum ColourScheme: Sendable {
    /// As the desktop's settings portal prefers, and at once when that changes; light if it
    /// prefers neither.
    case desktop
    case light
    case dark

    /// Shows everything in this scheme at once.
    @MainActor
    public func apply() {
        unsafe hdy_style_manager_set_color_scheme(hdy_style_manager_get_default(), scheme)
    }

    private var scheme: HdyColorScheme {
        switch self {
        case .desktop: HDY_COLOR_SCHEME_PREFER_LIGHT
        case .light: HDY_COLOR_SCHEME_FORCE_LIGHT
        case .dark: HDY_COLOR_SCHEME_FORCE_DARK
        }
    }
}

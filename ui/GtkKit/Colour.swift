import CGtk

/// A colour with its parts from 0 to 1.
public struct Colour: Equatable, Sendable {
    /// The shares of red, green, blue and opacity.
    public var red, green, blue, alpha: Double

    /// Creates a colour from its parts, each from 0 to 1.
    public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// The lightness as the eye sees it, from 0 to 1.
    public var lightness: Double { 0.2126 * red + 0.7152 * green + 0.0722 * blue }

    /// Returns the colour with a share of the other one mixed in, from 0 to 1.
    public func mixed(_ share: Double, of other: Colour) -> Colour {
        Colour(
            red: red + (other.red - red) * share, green: green + (other.green - green) * share,
            blue: blue + (other.blue - blue) * share, alpha: alpha)
    }

    /// Returns the same colour, `alpha` opaque.
    public func opacity(_ alpha: Double) -> Colour {
        Colour(red: red, green: green, blue: blue, alpha: alpha)
    }
}

/// The colours of the user's theme; the window knows no others.
public enum ThemeColour: String, Sendable {
    case foreground = "theme_fg_color"
    case background = "theme_bg_color"
    case base = "theme_base_color"
    case text = "theme_text_color"
    case selected = "theme_selected_bg_color"
    case selectedText = "theme_selected_fg_color"
    case warning = "warning_color"
    case success = "success_color"
}

extension Widget {
    /// Returns the theme's colour of this name, or its text colour if it names no such colour.
    public func colour(_ name: ThemeColour) -> Colour {
        let context = unsafe gtk_widget_get_style_context(gtk)
        var found = GdkRGBA()
        if unsafe gtk_style_context_lookup_color(context, name.rawValue, &found) == 0 {
            unsafe gtk_style_context_get_color(context, GTK_STATE_FLAG_NORMAL, &found)
        }
        return Colour(
            red: found.red, green: found.green, blue: found.blue, alpha: found.alpha)
    }
}

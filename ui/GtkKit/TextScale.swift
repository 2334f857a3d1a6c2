import CGtk

/// The user's scale of texts.
@MainActor
public enum TextScale {
    /// The scale now; 1 if texts have their usual size, 2 if they are twice as large.
    public static var now: Double {
        let dotsPerInch = unsafe gdk_screen_get_resolution(gdk_screen_get_default())
        return dotsPerInch > 0 ? dotsPerInch / usualDotsPerInch : 1
    }

    /// Whether texts are so large that a row of a page has no room for a button with a text.
    public static var isLarge: Bool { now > largest }

    private static let usualDotsPerInch = 96.0
    private static let largest = 1.4
}

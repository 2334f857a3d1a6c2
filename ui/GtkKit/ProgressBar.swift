import CGtk

/// A bar that fills.
public final class ProgressBar: Widget {
    /// Creates an empty bar.
    public init() {
        unsafe super.init(owning: gtk_progress_bar_new())
    }

    /// The filled part, from 0 to 1. Setting it to what it is does nothing: GTK would tell a screen
    /// reader, which says it even of a bar that is not on the screen.
    public var fraction: Double {
        get { unsafe gtk_progress_bar_get_fraction(cast(gtk_progress_bar_get_type())) }
        set {
            let clamped = min(max(newValue, 0), 1)
            guard clamped != fraction else { return }
            unsafe gtk_progress_bar_set_fraction(cast(gtk_progress_bar_get_type()), clamped)
        }
    }
}

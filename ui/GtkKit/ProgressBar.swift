import CGtk

/// A bar that fills.
public final class ProgressBar: Widget {
    /// Creates an empty bar.
    public init() {
        unsafe super.init(owning: gtk_progress_bar_new())
    }

    /// The filled part, from 0 to 1.
    public var fraction: Double {
        get { unsafe gtk_progress_bar_get_fraction(cast(gtk_progress_bar_get_type())) }
        set {
            unsafe gtk_progress_bar_set_fraction(
                cast(gtk_progress_bar_get_type()), min(max(newValue, 0), 1))
        }
    }
}

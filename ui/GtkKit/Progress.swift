import CGtk

/// A bar that fills.
public final class ProgressBar: Widget {
    /// An empty bar.
    public init() {
        unsafe super.init(owning: gtk_progress_bar_new())
    }

    /// How much is filled, from 0 to 1.
    public var fraction: Double {
        get { unsafe gtk_progress_bar_get_fraction(cast(gtk_progress_bar_get_type())) }
        set {
            unsafe gtk_progress_bar_set_fraction(
                cast(gtk_progress_bar_get_type()), min(max(newValue, 0), 1))
        }
    }
}

/// A turning wheel that says: wait.
public final class Spinner: Widget {
    /// A wheel that turns.
    public init() {
        unsafe super.init(owning: gtk_spinner_new())
        isTurning = true
    }

    /// Whether it turns.
    public var isTurning = false {
        didSet {
            if isTurning {
                unsafe gtk_spinner_start(cast(gtk_spinner_get_type()))
            } else {
                unsafe gtk_spinner_stop(cast(gtk_spinner_get_type()))
            }
        }
    }
}

/// A symbol of the icon theme.
public final class Icon: Widget {
    /// The icon of this name at `pixels` square; it says nothing to a screen reader by itself.
    public init(_ name: String, pixels: Int32 = 16) {
        unsafe super.init(owning: gtk_image_new_from_icon_name(name, GTK_ICON_SIZE_BUTTON))
        unsafe gtk_image_set_pixel_size(cast(gtk_image_get_type()), pixels)
    }
}

/// A thin line between two groups.
public final class Separator: Widget {
    /// A line that runs along `axis`.
    public init(_ axis: Axis) {
        unsafe super.init(owning: gtk_separator_new(axis.gtk))
    }
}

import CGtk

/// A turning wheel that shows that the user has to wait.
public final class Spinner: Widget {
    /// Creates a wheel that turns.
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

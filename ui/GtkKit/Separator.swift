import CGtk

/// A thin line between two groups.
public final class Separator: Widget {
    /// Creates a line that runs along `axis`.
    public init(_ axis: Axis) {
        unsafe super.init(owning: gtk_separator_new(axis.gtk))
    }
}

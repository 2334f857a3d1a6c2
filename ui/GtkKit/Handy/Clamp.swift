import CGtk

/// A view that is at most so many pixels wide, in the middle of a wider space.
public final class Clamp: Widget {
    private let content: Widget

    /// Limits the width of `content`.
    public init(_ content: Widget, pixelsMax: Int32) {
        self.content = content
        unsafe super.init(owning: hdy_clamp_new())
        unsafe hdy_clamp_set_maximum_size(OpaquePointer(gtk), gint(pixelsMax))
        unsafe hdy_clamp_set_tightening_threshold(OpaquePointer(gtk), gint(pixelsMax))
        unsafe gtk_container_add(cast(gtk_container_get_type()), content.gtk)
    }
}

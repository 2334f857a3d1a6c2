import CGtk

/// A widget with others floating above it.
public final class Overlay: Widget {
    private let base: Widget
    private var floating: [Widget] = []

    /// Creates an overlay over `base`.
    public init(over base: Widget) {
        self.base = base
        unsafe super.init(owning: gtk_overlay_new())
        unsafe gtk_container_add(cast(gtk_container_get_type()), base.gtk)
    }

    /// Floats a widget above, placed by its alignment.
    /// - Parameter letsPointerThrough: whether clicks on it go to the widget below.
    public func float(_ child: Widget, letsPointerThrough: Bool = false) {
        floating.append(child)
        unsafe gtk_overlay_add_overlay(cast(gtk_overlay_get_type()), child.gtk)
        unsafe gtk_overlay_set_overlay_pass_through(
            cast(gtk_overlay_get_type()), child.gtk, letsPointerThrough ? 1 : 0)
    }

    /// Removes a floating widget.
    public func remove(_ child: Widget) {
        guard let index = floating.firstIndex(where: { $0 === child }) else { return }
        floating.remove(at: index)
        unsafe gtk_container_remove(cast(gtk_container_get_type()), child.gtk)
    }
}

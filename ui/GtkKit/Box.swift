import CGtk

/// The direction in which a box lays its children out.
public enum Axis: Sendable {
    case across, down

    var gtk: GtkOrientation {
        self == .across ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL
    }
}

/// A row or a column of widgets.
open class Box: Widget {
    /// The children in their order.
    public private(set) var children: [Widget] = []

    /// Creates a row or a column with `spacing` pixels between its children.
    public init(_ axis: Axis, spacing: Int32 = 0, _ children: [Widget] = []) {
        unsafe super.init(owning: gtk_box_new(axis.gtk, spacing))
        for child in children { append(child) }
    }

    /// The direction in which the children lie.
    public var axis: Axis {
        get {
            let axis = unsafe gtk_orientable_get_orientation(OpaquePointer(gtk))
            return axis == GTK_ORIENTATION_HORIZONTAL ? .across : .down
        }
        set { unsafe gtk_orientable_set_orientation(OpaquePointer(gtk), newValue.gtk) }
    }

    /// Adds a child after the others.
    public func append(_ child: Widget) {
        children.append(child)
        unsafe gtk_box_pack_start(
            cast(gtk_box_get_type(), to: GtkBox.self), child.gtk, 0, 1, 0)
    }

    /// Removes a child; a widget that is not a child is ignored.
    public func remove(_ child: Widget) {
        guard let index = children.firstIndex(where: { $0 === child }) else { return }
        children.remove(at: index)
        unsafe gtk_container_remove(cast(gtk_container_get_type()), child.gtk)
    }

    /// Replaces the children; those that stay keep their state and focus.
    public func replaceChildren(with wanted: [Widget]) {
        for child in children where !wanted.contains(where: { $0 === child }) { remove(child) }
        for child in wanted where !children.contains(where: { $0 === child }) { append(child) }
        guard !zip(children, wanted).allSatisfy({ $0 === $1 }) else { return }
        children = wanted
        for (index, child) in wanted.enumerated() {
            unsafe gtk_box_reorder_child(
                cast(gtk_box_get_type(), to: GtkBox.self), child.gtk, Int32(index))
        }
    }
}

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

    /// Gives all children the same size along the box.
    @discardableResult
    public func ofEqualParts() -> Self {
        unsafe gtk_box_set_homogeneous(cast(gtk_box_get_type()), 1)
        return self
    }

    /// Adds a child after the others.
    public func append(_ child: Widget) { insert(child, at: children.count) }

    /// Adds a child at a position among the others.
    private func insert(_ child: Widget, at index: Int) {
        let box: UnsafeMutablePointer<GtkBox> = unsafe cast(gtk_box_get_type())
        unsafe gtk_box_pack_start(box, child.gtk, 0, 1, 0)
        if index < children.count { unsafe gtk_box_reorder_child(box, child.gtk, Int32(index)) }
        children.insert(child, at: index)
    }

    /// Moves a child forward to a position.
    private func move(_ child: Widget, from old: Int, to index: Int) {
        let box: UnsafeMutablePointer<GtkBox> = unsafe cast(gtk_box_get_type())
        unsafe gtk_box_reorder_child(box, child.gtk, Int32(index))
        children.insert(children.remove(at: old), at: index)
    }

    /// Removes a child; a widget that is not a child is ignored.
    public func remove(_ child: Widget) {
        guard let index = children.firstIndex(where: { $0 === child }) else { return }
        children.remove(at: index)
        unsafe gtk_container_remove(cast(gtk_container_get_type()), child.gtk)
    }

    /// Replaces the children; those that stay keep their state and focus, and those that also keep
    /// their order are not touched.
    public func replaceChildren(with wanted: [Widget]) {
        let kept = Set(wanted.map(ObjectIdentifier.init))
        for child in children where !kept.contains(ObjectIdentifier(child)) { remove(child) }
        var present = Set(children.map(ObjectIdentifier.init))
        for (index, child) in wanted.enumerated() {
            if children.indices.contains(index), children[index] === child { continue }
            if present.insert(ObjectIdentifier(child)).inserted {
                insert(child, at: index)
            } else if let old = children.firstIndex(where: { $0 === child }) {
                move(child, from: old, to: index)
            }
        }
    }
}

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

    /// A row or a column with `spacing` pixels between its children.
    public init(_ axis: Axis, spacing: Int32 = 0, _ children: [Widget] = []) {
        unsafe super.init(owning: gtk_box_new(axis.gtk, spacing))
        for child in children { append(child) }
    }

    /// Adds a child after the others.
    public func append(_ child: Widget) {
        children.append(child)
        unsafe gtk_box_pack_start(
            cast(gtk_box_get_type(), to: GtkBox.self), child.gtk, 0, 1, 0)
    }

    /// Takes a child out; a widget that is no child is left alone.
    public func remove(_ child: Widget) {
        guard let index = children.firstIndex(where: { $0 === child }) else { return }
        children.remove(at: index)
        unsafe gtk_container_remove(cast(gtk_container_get_type()), child.gtk)
    }

    /// Makes these the children, in this order; those that stay keep their state and focus.
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

/// Rows of widgets in aligned columns.
public final class Grid: Widget {
    private var children: [Widget] = []

    /// An empty grid with so many pixels between columns and between rows.
    public init(columnSpacing: UInt32, rowSpacing: UInt32) {
        unsafe super.init(owning: gtk_grid_new())
        unsafe gtk_grid_set_column_spacing(cast(gtk_grid_get_type()), columnSpacing)
        unsafe gtk_grid_set_row_spacing(cast(gtk_grid_get_type()), rowSpacing)
    }

    /// Puts a widget into a cell; `columns` is how many it spans.
    public func attach(_ child: Widget, column: Int32, row: Int32, columns: Int32 = 1) {
        children.append(child)
        unsafe gtk_grid_attach(
            cast(gtk_grid_get_type()), child.gtk, column, row, columns, 1)
    }

    /// Takes every child out.
    public func removeAll() {
        for child in children {
            unsafe gtk_container_remove(cast(gtk_container_get_type()), child.gtk)
        }
        children = []
    }
}

import CGtk

/// Rows of widgets in aligned columns.
public final class Grid: Widget {
    private var children: [Widget] = []

    /// Creates an empty grid with so many pixels between columns and between rows.
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

    /// Removes every child.
    public func removeAll() {
        for child in children {
            unsafe gtk_container_remove(cast(gtk_container_get_type()), child.gtk)
        }
        children = []
    }
}

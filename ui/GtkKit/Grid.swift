import CGtk

/// Rows of widgets in aligned columns.
public final class Grid: Widget {
    private var cells: [(child: Widget, column: Int32, row: Int32, columns: Int32)] = []

    /// Creates an empty grid with so many pixels between columns and between rows.
    public init(columnSpacing: UInt32, rowSpacing: UInt32) {
        unsafe super.init(owning: gtk_grid_new())
        unsafe gtk_grid_set_column_spacing(cast(gtk_grid_get_type()), columnSpacing)
        unsafe gtk_grid_set_row_spacing(cast(gtk_grid_get_type()), rowSpacing)
    }

    /// Puts a widget into a cell; `columns` is how many it spans. A screen reader comes to the
    /// widgets in the order of these calls.
    public func attach(_ child: Widget, column: Int32, row: Int32, columns: Int32 = 1) {
        detachAll()
        cells.append((child, column, row, columns))
        // GTK lists the children of a grid from the last to the first.
        for cell in cells.reversed() {
            unsafe gtk_grid_attach(
                cast(gtk_grid_get_type()), cell.child.gtk, cell.column, cell.row, cell.columns, 1)
        }
    }

    /// Removes every child.
    public func removeAll() {
        detachAll()
        cells = []
    }

    private func detachAll() {
        for cell in cells {
            unsafe gtk_container_remove(cast(gtk_container_get_type()), cell.child.gtk)
        }
    }
}

import CGtk

/// Rows in one frame, with lines between them. The arrow keys move between rows.
public final class RowList: Widget {
    /// The rows in their order.
    public private(set) var rows: [ActionRow] = []
    private var source: FileDragSource?

    /// Creates a list of rows.
    public init(_ rows: [ActionRow] = []) {
        unsafe super.init(owning: gtk_list_box_new())
        unsafe gtk_list_box_set_selection_mode(list, GTK_SELECTION_NONE)
        styled("content")
        replaceRows(with: rows)
    }

    private var list: UnsafeMutablePointer<GtkListBox> { unsafe cast(gtk_list_box_get_type()) }

    /// Lets the user drag the rows that have a file out of the window.
    @discardableResult
    public func offeringFiles() -> Self {
        source = FileDragSource(self) { [weak self] in self?.row(at: $0)?.fileToDrag }
        return self
    }

    private func row(at point: Point) -> ActionRow? {
        guard let found = unsafe gtk_list_box_get_row_at_y(list, gint(point.y)) else { return nil }
        let widget = unsafe UnsafeMutableRawPointer(found).assumingMemoryBound(to: GtkWidget.self)
        return rows.first { unsafe $0.gtk == widget }
    }

    /// Replaces the rows; those that stay in their order keep their state and focus. A row that is
    /// given twice is shown once.
    public func replaceRows(with given: [ActionRow]) {
        var kept: Set<ObjectIdentifier> = []
        let wanted = given.filter { kept.insert(ObjectIdentifier($0)).inserted }
        for row in rows where !kept.contains(ObjectIdentifier(row)) { remove(row) }
        var present = rows.filter { kept.contains(ObjectIdentifier($0)) }
        for (place, row) in wanted.enumerated() {
            if present.indices.contains(place), present[place] === row { continue }
            if let other = present.firstIndex(where: { $0 === row }) {
                present.remove(at: other)
                remove(row)
            }
            unsafe gtk_list_box_insert(list, row.gtk, gint(place))
            present.insert(row, at: place)
        }
        rows = wanted
    }

    private func remove(_ row: ActionRow) {
        unsafe gtk_container_remove(cast(gtk_container_get_type()), row.gtk)
    }
}

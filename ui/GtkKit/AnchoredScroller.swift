import CGtk

/// A view of rows that keeps its place: when rows are added above or below it, when texts wrap
/// anew, and when the view becomes larger or smaller. It never shows less than a full view of rows
/// if there are enough.
///
/// ```swift
/// let view = AnchoredScroller(of: rows, above: [older], below: [newer])
/// view.go(to: .end)           // stays at the end until the user scrolls away from it
/// view.go(to: .top(divider))  // the row on top, or the end if everything below fits
/// ```
public final class AnchoredScroller: Widget {
    /// A place of the content to show.
    public enum Place {
        /// The last row; also when more are added.
        case end
        /// A row at the top of the view.
        case top(Widget)
        /// A row in the middle of the view.
        case middle(Widget)
    }

    /// Called after the view or its content was scrolled or laid out.
    public var onMove: @MainActor () -> Void = {}
    /// Which rows keep the view's place; a heading that may move among the rows should not.
    public var isAnchor: @MainActor (Widget) -> Bool = { _ in true }

    private let rows: Box
    private let content: Box
    /// The place that each layout restores.
    private var kept = Kept.end
    /// Whether ``kept`` was not shown by a layout yet.
    private var isWaiting = false
    private var isMoving = false
    /// The height of the content and of the view at the last layout. A move at another height is
    /// part of a layout, not the user's.
    private var laidOut = (content: 0.0, view: 0.0)

    private enum Kept {
        case end
        /// A row, and the pixels from the top of the view to its top.
        case row(Widget, below: Double)
        case middle(Widget)
    }

    /// The pixels above a row that is shown at the top.
    private static let topMargin = 8.0

    /// Creates a view of rows, with other widgets above and below them.
    /// - Parameter pixelsMax: the greatest width of the rows, which lie in the middle of more.
    public init(
        of rows: Box, pixelsMax: Int32 = .max, above: [Widget] = [], below: [Widget] = []
    ) {
        self.rows = rows
        let column = Clamp(rows, pixelsMax: pixelsMax)
        // While the rows are empty, GTK finds that the height of the content does not depend on its
        // width, and it goes on to believe so when there are rows: the content then ends before its
        // last row, or after it. A text whose lines wrap, even a hidden one, is asked too.
        content = Box(.down, above + [column] + below + [Label().hidden()])
        unsafe super.init(owning: gtk_scrolled_window_new(nil, nil))
        unsafe gtk_scrolled_window_set_policy(
            cast(gtk_scrolled_window_get_type()), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
        unsafe gtk_container_add(cast(gtk_container_get_type()), content.gtk)
        for view in [content, self] {
            unsafe Signal.connect(
                view.gtk, "size-allocate", pointer: { [weak self] _ in self?.restore() })
        }
        if let adjustment = unsafe adjustment {
            // The row with the keyboard focus is scrolled into view.
            unsafe gtk_container_set_focus_vadjustment(
                content.cast(gtk_container_get_type()), adjustment)
            unsafe Signal.connect(adjustment, "value-changed") { [weak self] in self?.moved() }
        }
    }

    private var adjustment: UnsafeMutablePointer<GtkAdjustment>? {
        unsafe gtk_scrolled_window_get_vadjustment(cast(gtk_scrolled_window_get_type()))
    }

    /// The pixels above the view.
    private var value: Double { unsafe gtk_adjustment_get_value(adjustment) }

    private var heights: (content: Double, view: Double) {
        unsafe (gtk_adjustment_get_upper(adjustment), gtk_adjustment_get_page_size(adjustment))
    }

    /// The pixels above and below the view, as parts of its height.
    public var hidden: (above: Double, below: Double) {
        let (content, view) = heights
        guard view > 0 else { return (0, 0) }
        return (value / view, max(0, content - view - value) / view)
    }

    /// Whether the last row is in view.
    public var isAtEnd: Bool {
        if isWaiting, case .end = kept { return true }
        let (content, view) = heights
        return !isWaiting && value >= content - view - 1
    }

    /// Shows a place, once it is laid out.
    public func go(to place: Place) {
        kept =
            switch place {
            case .end: .end
            case .top(let row): .row(row, below: Self.topMargin)
            case .middle(let row): .middle(row)
            }
        isWaiting = true
        unsafe gtk_widget_queue_resize(content.gtk)
    }

    /// Stays at the end from now on if the end is in view. To be called before rows are added.
    public func stayAtEnd() {
        if !isWaiting, isAtEnd { kept = .end }
    }

    /// Scrolls to the kept place, as far as there is content.
    private func restore() {
        laidOut = heights
        let end = max(0, laidOut.content - laidOut.view)
        let wanted: Double? =
            switch kept {
            case .end: end
            case .row(let row, let below): top(of: row).map { $0 - below }
            case .middle(let row):
                top(of: row).map { $0 - max(0, laidOut.view - row.size.height) / 2 }
            }
        isWaiting = false
        isMoving = true
        unsafe gtk_adjustment_set_value(adjustment, min(max(wanted ?? value, 0), end))
        isMoving = false
        onMove()
    }

    /// Keeps the place to which the user has scrolled.
    private func moved() {
        guard !isMoving, !isWaiting, heights == laidOut else { return }
        if isAtEnd {
            kept = .end
        } else if let row = firstRow(), let top = top(of: row) {
            kept = .row(row, below: top - value)
        }
        onMove()
    }

    /// The first row in view that keeps the place.
    private func firstRow() -> Widget? {
        let children = rows.children
        // The rows lie below each other, so the first one in view is found by halving.
        var (low, high) = (0, children.count)
        while low < high {
            let middle = (low + high) / 2
            let bottom = (top(of: children[middle]) ?? 0) + children[middle].size.height
            if bottom <= value { low = middle + 1 } else { high = middle }
        }
        return children[low...].first(where: isAnchor)
    }

    /// The pixels from the top of the content to that of a row; nil if the row is not laid out.
    private func top(of row: Widget) -> Double? {
        var (x, y) = (Int32(0), Int32(0))
        guard unsafe gtk_widget_get_parent(row.gtk) != nil,
            unsafe gtk_widget_translate_coordinates(row.gtk, content.gtk, 0, 0, &x, &y) != 0
        else { return nil }
        return Double(y)
    }
}

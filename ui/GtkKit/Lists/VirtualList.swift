import CGtk

/// A long list of which only the rows near those in sight exist, inside a ``Scroller``. So a list
/// of hundreds costs no more time and memory than one of thirty.
///
/// Rows are added a few at a time while the list scrolls, and keep their state and focus while they
/// exist. A row with the keyboard focus exists until it is far away. The arrow keys move from row
/// to row and Home and End to the first and the last, as in a list whose rows all exist. A screen
/// reader finds the rows that exist, and the next ones as the focus moves on.
///
/// ```swift
/// let names = RowList().role(.list).named("Mates")
/// let list = VirtualList(names, place: names.replaceRows) { MateRow($0) } show: { row, person in
///     row.show(person)
/// }
/// list.show(people)
/// ```
public final class VirtualList<ID: Hashable, Row: Widget>: Box {
    /// Called with the index of the last row in sight when the list is scrolled or changed.
    public var onSight: @MainActor (_ lastIndex: Int) -> Void = { _ in }

    private let list: Widget
    private let place: @MainActor ([Row]) -> Void
    private let make: @MainActor (ID) -> Row
    private let show: @MainActor (Row, ID) -> Void
    private let above = Box(.down)
    private let below = Box(.down)
    private var rows: [ID: Row] = [:]
    /// The rows that were placed last, in their order.
    private var placed: [ID] = []
    private var extents = RowExtents<ID>()
    private var window = RowWindow()
    /// The row whose position on the screen the next layout restores, and that position: the rows
    /// above it may turn out to be higher or lower than they were thought to be.
    private var anchor: (id: ID, y: Double)?
    /// The row that a key or a caller gave the focus to, until the rows around it are laid out.
    private var revealed: ID?
    /// Whether the list was ever laid out, so that positions are known.
    private var isLaidOut = false
    private var isFollowing = false
    private var isFilling = false

    /// Creates an empty list.
    /// - Parameters:
    ///   - list: the widget that contains the rows.
    ///   - place: replaces the rows of that widget; those that stay keep their state.
    ///   - make: makes a row.
    ///   - show: shows what a row says now.
    public init(
        _ list: Widget, place: @escaping @MainActor ([Row]) -> Void,
        make: @escaping @MainActor (ID) -> Row, show: @escaping @MainActor (Row, ID) -> Void
    ) {
        self.list = list
        self.place = place
        self.make = make
        self.show = show
        super.init(.down)
        for part in [above, list, below] { append(part) }
        unsafe Signal.connect(
            list.gtk, "size-allocate",
            pointer: { [weak self] _ in
                self?.laidOut()
            })
        unsafe Signal.connect(list.gtk, "key-press-event") { [weak self] event in
            guard let event = unsafe event?.assumingMemoryBound(to: GdkEvent.self),
                let press = unsafe KeyPress(event)
            else { return false }
            return self?.jump(press) ?? false
        }
        onMap { [weak self] in
            self?.revealOnMap()
            self?.fill()
        }
    }

    /// The rows in their order.
    public var ids: [ID] { extents.ids }

    /// Shows these rows in their order. Rows that exist show what they say now. An id that is given
    /// twice counts once.
    public func show(_ given: [ID]) {
        var known: Set<ID> = []
        let ids = given.filter { known.insert($0).inserted }
        if ids != extents.ids {
            extents.ids = ids
            window.clamp(toCount: ids.count)
            let wanted = Set(ids)
            rows = rows.filter { wanted.contains($0.key) }
            fill()
        }
        for (id, row) in rows { show(row, id) }
    }

    /// Moves the keyboard focus to a row, which is brought into sight: at once, or when the list is
    /// laid out.
    /// - Returns: false if the list does not have it.
    @discardableResult
    public func focus(_ id: ID) -> Bool {
        guard let index = extents.ids.firstIndex(of: id) else { return false }
        revealed = id
        if rows[id] == nil {
            scroll(to: index)
            // The heights of rows that never existed are guesses, so another row may be there.
            if rows[id] == nil { move(seen: index..<index + 1) }
        }
        // GTK scrolls to a row with the focus only once it is laid out.
        MainLoop.whenIdle { [weak self] in self?.rows[id]?.grabFocus() }
        return true
    }

    // MARK: - The rows that exist

    /// Makes the rows in sight now, and those around them soon.
    /// - Parameter isIdle: whether GTK is not moving the focus now.
    private func fill(isIdle: Bool = false) {
        guard !extents.ids.isEmpty else { return put() }
        follow()
        let next = isIdle ? nil : nextFocused
        guard let sight, isLaidOut || revealed == nil else {
            return next == nil ? fillAtFirst() : fillSoon()
        }
        let seen = extents.rows(from: sight.top, to: sight.bottom)
        if let next, !RowWindow.keeps(next, seen: seen) { return fillSoon() }
        if !move(seen: seen) { fillSoon() }
        if isLaidOut { onSight(seen.upperBound - 1) }
    }

    /// Makes a few rows before the list is laid out: with the one to reveal, or the first ones.
    private func fillAtFirst() {
        let index = revealed.flatMap { id in extents.ids.firstIndex(of: id) }
        let isThere = index.map { window.range.contains($0) } ?? false
        if !isThere {
            let seen = RowWindow.rowsAtFirst(revealing: index, of: extents.ids.count)
            _ = window.move(seen: seen, wanted: seen, focused: nil)
        }
        put()
    }

    /// Makes these rows, and some of those around them.
    /// - Returns: whether all exist that should.
    @discardableResult
    private func move(seen: Range<Int>) -> Bool {
        let beyond = max(seen.count / 2, 4)
        let first = max(0, seen.lowerBound - beyond)
        let wanted = first..<min(extents.ids.count, seen.upperBound + beyond)
        let focused = rows.first { $0.value.containsFocus }?.key
        let before = window
        let isDone = window.move(
            seen: seen, wanted: wanted,
            focused: nextFocused ?? focused.flatMap(extents.ids.firstIndex))
        if window != before || placed != Array(extents.ids[window.range]) { put(focused: focused) }
        return isDone
    }

    /// The row to which GTK is about to give the focus. It has scrolled to the row, perhaps to a
    /// wrong position if the row is not laid out yet, and a row that is removed now would have the
    /// focus all the same.
    private var nextFocused: Int? {
        let next = unsafe gtk_container_get_focus_child(list.cast(gtk_container_get_type()))
        guard let next = unsafe next,
            let (id, row) = rows.first(where: { unsafe $0.value.gtk == next }),
            !row.containsFocus
        else { return nil }
        return extents.ids.firstIndex(of: id)
    }

    private func put(focused: ID? = nil) {
        keepAnchor()
        let shown = Array(extents.ids[window.range])
        let old = rows
        rows = Dictionary(uniqueKeysWithValues: shown.map { id in (id, old[id] ?? made(id)) })
        if let focused, rows[focused] == nil { moveFocus(from: focused) }
        place(shown.compactMap { rows[$0] })
        placed = shown
        let count = extents.ids.count
        setHeight(of: above, to: extents.height(of: 0..<window.range.lowerBound))
        setHeight(of: below, to: extents.height(of: window.range.upperBound..<count))
    }

    private func made(_ id: ID) -> Row {
        let row = make(id)
        show(row, id)
        return row
    }

    private func setHeight(of space: Box, to pixels: Double) {
        space.minimum(height: Int32(pixels.rounded()))
    }

    /// Moves the focus from a row that ceases to exist to the nearest one, and scrolls nothing.
    private func moveFocus(from id: ID) {
        let index = extents.ids.firstIndex(of: id) ?? 0
        let range = window.range
        guard let nearest = range.min(by: { abs($0 - index) < abs($1 - index) }),
            let row = rows[extents.ids[nearest]], let adjustment = unsafe scroll?.adjustment
        else { return }
        place(extents.ids[range].compactMap { rows[$0] })
        let value = unsafe gtk_adjustment_get_value(adjustment)
        row.grabFocus()
        unsafe gtk_adjustment_set_value(adjustment, value)
    }

    private func fillSoon() {
        guard !isFilling else { return }
        isFilling = true
        MainLoop.whenIdle { [weak self] in
            self?.isFilling = false
            self?.fill(isIdle: true)
        }
    }

    private func jump(_ press: KeyPress) -> Bool {
        guard !press.isControl, !press.isShift else { return false }
        switch press.key {
        case .home: return extents.ids.first.map(focus) ?? false
        case .end: return extents.ids.last.map(focus) ?? false
        default: return false
        }
    }
}

// MARK: - The view around the list

extension VirtualList {
    /// The part of the list in sight, in pixels from its top; nil before it is laid out.
    private var sight: (top: Double, bottom: Double)? {
        guard isMapped, let top, let view = unsafe scroll else { return nil }
        let height = unsafe gtk_adjustment_get_page_size(view.adjustment)
        guard height > 1 else { return nil }
        let value = unsafe gtk_adjustment_get_value(view.adjustment)
        return (value - top, value - top + height)
    }

    /// The top of the list in the content of the view.
    private var top: Double? {
        guard let view = unsafe scroll else { return nil }
        return unsafe y(of: self, in: view.content)
    }

    private func y(of widget: Widget, in content: UnsafeMutablePointer<GtkWidget>) -> Double? {
        var (x, y) = (Int32(0), Int32(0))
        guard unsafe gtk_widget_translate_coordinates(widget.gtk, content, 0, 0, &x, &y) != 0
        else { return nil }
        return Double(y)
    }

    /// Scrolls until a row is at the top of the view, as far as there is content.
    private func scroll(to index: Int) {
        guard let top, let view = unsafe scroll else { return }
        unsafe gtk_adjustment_set_value(view.adjustment, top + extents.height(of: 0..<index))
    }

    /// Reveals a row that was to be revealed while the list was hidden.
    private func revealOnMap() {
        guard let revealed, let index = extents.ids.firstIndex(of: revealed) else { return }
        if isLaidOut { scroll(to: index) }
        // The list may have been laid out before it was mapped. The next layout reveals the row.
        unsafe gtk_widget_queue_resize(list.gtk)
    }

    /// Makes rows whenever the view scrolls or changes its height.
    private func follow() {
        guard !isFollowing, let adjustment = unsafe scroll?.adjustment else { return }
        isFollowing = true
        for signal in ["value-changed", "changed"] {
            unsafe Signal.connect(adjustment, signal) { [weak self] in
                guard let self, isMapped else { return }
                fill()
            }
        }
    }

    /// Remembers the position of the first row in sight.
    private func keepAnchor() {
        guard anchor == nil, let sight, let view = unsafe scroll else { return }
        for id in extents.ids[window.range] {
            guard let row = rows[id], let y = unsafe y(of: row, in: view.content) else { continue }
            let value = unsafe gtk_adjustment_get_value(view.adjustment)
            guard y + row.size.height > value else { continue }
            anchor = sight.top > 0 ? (id, y - value) : nil
            return
        }
    }

    /// Scrolls as little as brings the row with the focus into sight. Before the list is laid out,
    /// the row has no position, so it is revealed later.
    private func reveal() {
        anchor = nil
        guard isLaidOut else { return }
        guard let id = revealed, let row = rows[id], let view = unsafe scroll,
            let y = unsafe y(of: row, in: view.content)
        else {
            revealed = nil
            return
        }
        if !isFilling { revealed = nil }
        let value = unsafe gtk_adjustment_get_value(view.adjustment)
        let page = unsafe gtk_adjustment_get_page_size(view.adjustment)
        let wanted = max(min(value, y), y + row.size.height - page)
        if abs(wanted - value) >= 1 {
            unsafe gtk_adjustment_set_value(view.adjustment, wanted)
        }
    }

    private func laidOut() {
        for (id, row) in rows { extents.measure(id, height: row.size.height) }
        if !isLaidOut, sight != nil {
            isLaidOut = true
            if revealed != nil { fillSoon() }
        }
        guard revealed == nil else { return reveal() }
        guard let anchor, let view = unsafe scroll, let row = rows[anchor.id],
            let y = unsafe y(of: row, in: view.content)
        else {
            self.anchor = nil
            return
        }
        self.anchor = nil
        let value = unsafe gtk_adjustment_get_value(view.adjustment)
        let wanted = y - anchor.y
        if abs(wanted - value) >= 1 {
            unsafe gtk_adjustment_set_value(view.adjustment, wanted)
        }
    }
}

import CGtk

extension Widget {
    /// Keeps the widget in sight from when it appears until it is hidden: the view around it
    /// scrolls as little as needed, with each new layout of the content or of the view. For a
    /// question that opens on a page and may be below the part that is seen.
    ///
    /// ```swift
    /// let confirmation = Box(.down, [question, answers]).hidden().stayingInSight()
    /// confirmation.isVisible = true  // scrolls to it
    /// ```
    @discardableResult
    public func stayingInSight() -> Self {
        var isFollowing = false
        unsafe Signal.connect(
            gtk, "size-allocate",
            pointer: { [weak self] _ in
                guard let self else { return }
                if !isFollowing { isFollowing = follow() }
                scrollIntoSight()
            })
        return self
    }

    /// Scrolls whenever the size of the view or of its content changes.
    /// - Returns: whether there is a view.
    private func follow() -> Bool {
        guard let adjustment = unsafe scroll?.adjustment else { return false }
        unsafe Signal.connect(adjustment, "changed") { [weak self] in self?.scrollIntoSight() }
        return true
    }

    private func scrollIntoSight() {
        guard isMapped, let view = unsafe scroll else { return }
        var (x, y) = (Int32(0), Int32(0))
        guard unsafe gtk_widget_translate_coordinates(gtk, view.content, 0, 0, &x, &y) != 0 else {
            return
        }
        unsafe gtk_adjustment_clamp_page(
            view.adjustment, Double(y), Double(y) + size.height)
    }

    /// The content and the vertical adjustment of the nearest ``Scroller`` around the widget.
    var scroll:
        (
            content: UnsafeMutablePointer<GtkWidget>,
            adjustment: UnsafeMutablePointer<GtkAdjustment>
        )?
    {
        guard
            let window = unsafe gtk_widget_get_ancestor(gtk, gtk_scrolled_window_get_type()),
            let viewport = unsafe gtk_bin_get_child(gtkCast(window, gtk_bin_get_type())),
            let content = unsafe gtk_bin_get_child(gtkCast(viewport, gtk_bin_get_type())),
            let adjustment = unsafe gtk_scrolled_window_get_vadjustment(
                gtkCast(window, gtk_scrolled_window_get_type()))
        else { return nil }
        return unsafe (content, adjustment)
    }
}

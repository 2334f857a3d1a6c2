import CGtk

/// A text that is read, not edited.
public final class Label: Widget {
    /// Creates a label that wraps between words and is aligned to the start of its space.
    public init(_ text: String = "") {
        unsafe super.init(owning: gtk_label_new(text))
        unsafe gtk_label_set_line_wrap(cast(gtk_label_get_type()), 1)
        unsafe gtk_label_set_line_wrap_mode(cast(gtk_label_get_type()), PANGO_WRAP_WORD_CHAR)
        unsafe gtk_label_set_xalign(cast(gtk_label_get_type()), 0)
    }

    /// The text.
    public var text: String {
        get { unsafe String(cString: gtk_label_get_text(cast(gtk_label_get_type()))) }
        set {
            guard newValue != text else { return }
            unsafe gtk_label_set_text(cast(gtk_label_get_type()), newValue)
        }
    }

    /// Centres the lines of the text.
    @discardableResult
    public func centred() -> Self {
        unsafe gtk_label_set_justify(cast(gtk_label_get_type()), GTK_JUSTIFY_CENTER)
        unsafe gtk_label_set_xalign(cast(gtk_label_get_type()), 0.5)
        return self
    }

    /// Prevents line breaks, for a text that must be completely visible.
    @discardableResult
    public func onOneLine() -> Self {
        unsafe gtk_label_set_line_wrap(cast(gtk_label_get_type()), 0)
        return self
    }

    /// Prevents line breaks, and cuts the text at its end if it is wider than its space: for a text
    /// that a person wrote and that can be read in full elsewhere.
    @discardableResult
    public func shortened() -> Self {
        unsafe gtk_label_set_ellipsize(cast(gtk_label_get_type()), PANGO_ELLIPSIZE_END)
        return onOneLine()
    }

    /// Breaks lines so that they hold at most this many average characters.
    @discardableResult
    public func width(characters: Int32) -> Self {
        unsafe gtk_label_set_max_width_chars(cast(gtk_label_get_type()), characters)
        return self
    }

    /// Lets its text be selected and copied.
    @discardableResult
    public func selectable() -> Self {
        unsafe gtk_label_set_selectable(cast(gtk_label_get_type()), 1)
        return self
    }

    /// Lets the Tab key pass over it though its text can be selected; use this if a control beside
    /// it has its actions.
    @discardableResult
    public func skippedByTab() -> Self {
        unsafe gtk_widget_set_can_focus(gtk, 0)
        return self
    }

    /// Opens another menu than GTK's own for a text that can be selected.
    public func onMenu(_ action: @escaping @MainActor () -> Void) {
        onSecondaryButton(action)
    }

    /// Names a control: a screen reader reads this label for it, and its mnemonic reaches it.
    @discardableResult
    public func labels(_ control: Widget) -> Self {
        unsafe gtk_label_set_mnemonic_widget(cast(gtk_label_get_type()), control.gtk)
        return self
    }
}

import CGtk

/// A whole number of two digits, such as an hour, with buttons that step through its range. After
/// the last comes the first.
public final class NumberEntry: Widget {
    /// Creates an entry of the first number of a range.
    /// - Parameter step: the difference of one press of a button.
    public init(_ range: ClosedRange<Int>, step: Int = 1) {
        unsafe super.init(
            owning: gtk_spin_button_new_with_range(
                Double(range.lowerBound), Double(range.upperBound), Double(step)))
        unsafe gtk_spin_button_set_wrap(cast(gtk_spin_button_get_type()), 1)
        unsafe gtk_spin_button_set_numeric(cast(gtk_spin_button_get_type()), 1)
        unsafe Signal.connect(gtk, "output", deciding: { [weak self] in self?.write() ?? false })
    }

    /// The number.
    public var value: Int {
        get {
            Int(unsafe gtk_spin_button_get_value_as_int(cast(gtk_spin_button_get_type())))
        }
        set {
            guard newValue != value else { return }
            unsafe gtk_spin_button_set_value(
                cast(gtk_spin_button_get_type()), Double(newValue))
        }
    }

    /// Calls `action` whenever the number changes.
    public func onChange(_ action: @escaping @MainActor () -> Void) {
        unsafe Signal.connect(gtk, "value-changed", action)
    }

    /// Writes the number with two digits.
    private func write() -> Bool {
        let digits = String(value)
        let text = digits.count < 2 ? "0" + digits : digits
        unsafe gtk_entry_set_text(cast(gtk_entry_get_type()), text)
        return true
    }
}

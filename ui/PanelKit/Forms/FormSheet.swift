public import GtkKit

/// A sheet of labelled fields. The map behind it can be clicked to choose where to meet.
@MainActor
open class FormSheet: Sheet {
    /// The least width, which a window of 360 pixels has room for.
    private static let widthMin: Int32 = 280

    /// Creates an empty sheet under a title.
    public init(title: String) {
        super.init(title: title, width: Self.widthMin)
    }

    /// Whether the map can be clicked while the sheet is shown.
    open override var usesMap: Bool { true }

    /// Shows the buttons where they stay in view, the safe one first. The hint above them says what
    /// is missing.
    public func setFooter(hint: Label, buttons: [Button]) {
        let row = Box(.across, spacing: 8, buttons).aligned(.end)
        setFooter([Box(.down, spacing: 8, [hint, faultView, row]).expanding(across: true)])
    }

    /// Returns a label above its control.
    /// - Parameter container: the widget that holds the control; nil if it is the control itself.
    public func field(_ title: String, _ control: Widget, in container: Widget? = nil) -> Box {
        let label = Label(title).styled("field-title").labels(control)
        return Box(.down, spacing: 4, [label, container ?? control])
    }
}

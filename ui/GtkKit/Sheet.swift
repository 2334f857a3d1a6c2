/// A form that lies above the rest of the window until it is answered.
open class Sheet: Box {
    private let heading: Label
    private let faultLabel = Label().styled("fault").hidden()

    /// Creates an empty sheet under a title.
    public init(title: String, width: Int32 = 400) {
        heading = Label(title).styled("sheet-title").width(characters: 36)
        super.init(.down, spacing: 12)
        styled("sheet").aligned(.centre, .centre).role(.dialog).named(title)
        minimum(width: width)
        append(heading)
        faultLabel.role(.alert).width(characters: 40)
    }

    /// Sets the title; a screen reader says it as the sheet's name.
    public func setTitle(_ title: String) {
        heading.text = title
        named(title)
    }

    /// The widget that shows a fault; the sheet's owner appends it in the right order.
    public var faultView: Widget { faultLabel }

    /// Shows a fault; nil removes it.
    public func setFault(_ sentence: String?) {
        faultLabel.text = sentence.map { "⚠ \($0)" } ?? ""
        faultLabel.isVisible = sentence != nil
    }
}

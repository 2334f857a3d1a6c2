/// A form that lies above the rest of the window until it is answered.
open class Sheet: Box {
    private let heading: Label
    private let faultLabel = Label().styled("fault").hidden()

    /// An empty sheet under a title.
    public init(title: String, width: Int32 = 400) {
        heading = Label(title).styled("sheet-title").width(characters: 36)
        super.init(.down, spacing: 12)
        styled("sheet").aligned(.centre, .centre).role(.dialog).named(title)
        minimum(width: width)
        append(heading)
        faultLabel.role(.alert).width(characters: 40)
    }

    /// The title; a screen reader says it as the sheet's name.
    public func setTitle(_ title: String) {
        heading.text = title
        named(title)
    }

    /// Where a fault is said: append it where it belongs.
    public var faultView: Widget { faultLabel }

    /// Says what went wrong, or nothing.
    public func setFault(_ sentence: String?) {
        faultLabel.text = sentence.map { "⚠ \($0)" } ?? ""
        faultLabel.isVisible = sentence != nil
    }
}

/// A line across the top of a window: an event, and the answers to it. Without a detail it is one
/// low line.
open class Bar: Box {
    private let title = Label().styled("bar-title")
    private let detail = Label().styled("bar-detail")
    private let texts: Box
    private let buttons = Box(.across, spacing: 12).aligned(.end, .centre).hidden()

    /// Creates a bar with an icon of the theme and no text yet.
    public init(icon: String) {
        texts = Box(.down, spacing: 2, [title, detail]).expanding(across: true)
        super.init(.across, spacing: 12)
        styled("bar").role(.alert)
        append(Icon(icon, pixels: 20))
        append(texts.aligned(.fill, .centre))
        append(buttons)
    }

    /// Shows a title and a detail; a screen reader says the title as the bar's name.
    public func say(_ title: String, detail: String) {
        self.title.text = title
        self.detail.text = detail
        self.detail.isVisible = !detail.isEmpty
        setStyle("one-line", on: detail.isEmpty)
        named(title).described(detail)
    }

    /// Shows these buttons in place of the ones before: beside each other, but several with large
    /// texts below each other, since they would leave the bar's own texts no width.
    public func setButtons(_ buttons: [Button]) {
        self.buttons.axis =
            buttons.count > Self.buttonsAcrossMax && TextScale.isLarge ? .down : .across
        self.buttons.replaceChildren(with: buttons.map { $0.aligned(.fill, .centre) })
        self.buttons.isVisible = !buttons.isEmpty
    }

    /// The most buttons with large texts that are beside each other.
    private static let buttonsAcrossMax = 2
}

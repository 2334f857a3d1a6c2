/// A line across the top of a window: an event, and the answers to it. Without a detail it is one
/// low line.
open class Bar: Box {
    private let title = Label().styled("bar-title")
    private let detail = Label().styled("bar-detail")
    private let texts: Box
    private var buttons: [Button] = []

    /// Creates a bar with an icon of the theme and no text yet.
    public init(icon: String) {
        texts = Box(.down, spacing: 2, [title, detail]).expanding(across: true)
        super.init(.across, spacing: 12)
        styled("bar").role(.alert)
        append(Icon(icon, pixels: 20))
        append(texts.aligned(.fill, .centre))
    }

    /// Shows a title and a detail; a screen reader says the title as the bar's name.
    public func say(_ title: String, detail: String) {
        self.title.text = title
        self.detail.text = detail
        self.detail.isVisible = !detail.isEmpty
        setStyle("one-line", on: detail.isEmpty)
        named(title).described(detail)
    }

    /// Shows these buttons in place of the ones before.
    public func setButtons(_ buttons: [Button]) {
        for old in self.buttons { remove(old) }
        self.buttons = buttons
        for button in buttons { append(button.aligned(.end, .centre)) }
    }
}

/// A line across the top of the window: an event, and the answers to it.
///
/// A panel lists its bars; the window creates and removes the widgets.
public struct PanelBar {
    /// The subject of the bar; two bars of one panel have different ids.
    public var id: String
    /// An icon of the theme.
    public var icon: String
    /// The event; a screen reader says it as the bar's name.
    public var title: String
    /// More about it; may be empty.
    public var detail: String
    /// The answers, from the safe one to the suggested one.
    public var answers: [PanelAction]
    /// Called for the Escape key while no sheet is shown; nil leaves the key to others.
    public var onEscape: (@MainActor () -> Void)?

    /// Creates a bar with its answers.
    public init(
        id: String, icon: String, title: String, detail: String, answers: [PanelAction],
        onEscape: (@MainActor () -> Void)? = nil
    ) {
        self.id = id
        self.icon = icon
        self.title = title
        self.detail = detail
        self.answers = answers
        self.onEscape = onEscape
    }
}

/// A form that lies above the rest of the window until it is answered: a title, content that
/// scrolls if the window is low, and buttons that always stay in view.
///
/// ```swift
/// final class GreetingSheet: Sheet {
///     init() {
///         super.init(title: "Greet a mate")
///         append(greeting)
///         append(faultView)
///         setButtons([cancel, greet.suggested()])
///     }
/// }
/// ```
open class Sheet: Box {
    private let heading: Label
    private let content = Box(.down, spacing: 12)
    private let footer = Box(.across, spacing: 8).aligned(.end).styled("sheet-footer").hidden()
    private let faultLabel = Label().styled("fault").hidden()

    /// The greatest height of the content in pixels; it scrolls earlier if the window is lower.
    private static let heightMax: Int32 = 4000

    /// Creates an empty sheet under a title, whose content is at least `width` pixels wide if the
    /// window is.
    public init(title: String, width: Int32 = 280) {
        heading = Label(title).styled("sheet-title").width(characters: 32)
        super.init(.down)
        styled("sheet").aligned(.centre, .centre).role(.dialog).named(title)
        content.styled("sheet-content").minimum(width: width)
        super.append(heading)
        super.append(
            Scroller(content).scrollingAcross().growing(upTo: Self.heightMax).keepingFocusInView()
                .expanding(across: true, down: true))
        super.append(footer)
        faultLabel.role(.alert).width(characters: 40)
    }

    /// Whether the map can be clicked while the sheet is shown, to choose a location.
    open var usesMap: Bool { false }

    /// Adds a widget to the content, after the others.
    public override func append(_ child: Widget) { content.append(child) }

    /// Shows these buttons under the content, where they stay in view. The last one is the
    /// suggested action.
    public func setButtons(_ buttons: [Button]) { setFooter(buttons) }

    /// Shows these widgets under the content, where they stay in view.
    public func setFooter(_ widgets: [Widget]) {
        footer.replaceChildren(with: widgets)
        footer.isVisible = !widgets.isEmpty
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

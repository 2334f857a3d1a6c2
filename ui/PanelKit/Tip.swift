public import GtkKit

/// A short sentence that helps with the first use of something. It is shown until the user closes
/// it, or has done once what it is about; that is remembered for each home.
///
/// ```swift
/// let tip = Tip("walk", "A request for now is open for 60 seconds.")
/// sheet.append(TipView(tip, context))
/// ```
public struct Tip: Hashable, Sendable {
    /// The id under which it is remembered: a short lower-case word.
    public let id: String
    /// The sentence.
    public let sentence: String

    /// Creates a tip.
    public init(_ id: String, _ sentence: String) {
        self.id = id
        self.sentence = sentence
    }
}

/// The memory of the tips that are shown no longer.
@MainActor
public protocol TipStore: AnyObject {
    /// Whether a tip is still shown.
    func isOpen(_ tip: Tip) -> Bool
    /// Shows a tip never again.
    func close(_ tip: Tip)
}

/// A tip with its Close button, which takes no space once it is closed.
@MainActor
public final class TipView: Box {
    private let tip: Tip
    private let context: PanelContext

    /// Creates a view of a tip, for a panel with this context.
    public init(_ tip: Tip, _ context: PanelContext) {
        self.tip = tip
        self.context = context
        let close = Button(localized("Close")).flat().named(localized("Close this tip"))
        super.init(
            .across, spacing: 8,
            [
                Label(tip.sentence).width(characters: 34).expanding(across: true),
                close.aligned(.end, .centre),
            ])
        styled("reason").role(.group).named(localized("Tip"))
        close.onClick { [weak self] in
            guard let self else { return }
            context.close(tip)
            update()
        }
        update()
    }

    /// Shows the tip if it is open.
    public func update() { isVisible = context.isOpen(tip) }
}

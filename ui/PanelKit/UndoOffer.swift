/// Something that was just done and can be undone for a few seconds.
///
/// The panel shows the effect at once, and makes it lasting when the time is up. So undoing needs
/// no command of the node:
///
/// ```swift
/// hidden.insert(item)
/// context.offerUndo(
///     UndoOffer("Dismissed", undo: { hidden.remove(item) }) {
///         context.perform(InboxCommands.handle, reference)
///     })
/// ```
public struct UndoOffer {
    /// The action that was done, such as "Dismissed “Mina arrived”".
    public var sentence: String
    /// Takes it back.
    public var undo: @MainActor () -> Void
    /// Makes it lasting. Called when the time is up, when something else is done that can be
    /// undone, or when the window closes, which waits up to three seconds for
    /// ``PanelContext/perform(_:_:then:)``.
    public var settle: @MainActor () -> Void

    /// Creates an offer to undo something.
    public init(
        _ sentence: String, undo: @escaping @MainActor () -> Void,
        settle: @escaping @MainActor () -> Void
    ) {
        self.sentence = sentence
        self.undo = undo
        self.settle = settle
    }
}

public import GtkKit

/// A sheet with a sentence that is only read.
@MainActor
public final class NoteSheet: Sheet {
    /// Called when the sheet is finished.
    public var onDone: @MainActor () -> Void = {}

    private let done = Button(localized("Done")).suggested()

    /// Creates a sheet.
    public init(title: String, sentence: String) {
        super.init(title: title)
        append(Label(sentence).width(characters: 40))
        setButtons([done])
        done.onClick { [weak self] in self?.onDone() }
    }

    /// Moves the keyboard focus to the button.
    public func focusFirst() { done.grabFocus() }
}

import GtkKit
import PanelKit

/// The sheet of the words that the user muted.
@MainActor
final class MutedWordsSheet: Sheet {
    /// Called when the sheet is to be closed.
    var onClose: @MainActor () -> Void = {}

    /// The words, which the sheet's owner shows.
    let words: MutedWordsView
    private let close = Button(localized("Close"))

    init(_ context: PanelContext) {
        words = MutedWordsView(context)
        super.init(title: localized("Muted words"))
        append(words)
        setButtons([close])
        close.onClick { [weak self] in self?.onClose() }
    }
}

public import GtkKit

/// A sheet that says what takes a while; it has no button, and its owner dismisses it.
@MainActor
public final class WaitSheet: Sheet {
    /// Creates a sheet.
    public init(title: String, sentence: String) {
        super.init(title: title)
        append(Spinner().minimum(width: 32, height: 32).aligned(.centre))
        append(Label(sentence).width(characters: 40))
    }
}

public import GtkKit

/// A sheet that asks before an action that cannot be undone. Its button is red.
@MainActor
public final class ConfirmSheet: Sheet {
    /// Called when the sheet is finished; `true` if the user confirmed.
    public var onDone: @MainActor (Bool) -> Void = { _ in }

    private let cancel = Button(localized("Cancel"))
    private let confirm: Button
    private let entry: Entry?
    private let wanted: String?

    /// Creates a sheet.
    /// - Parameters:
    ///   - sentence: the consequences.
    ///   - button: the text of the red button, such as "Block".
    ///   - name: a text that the user has to type first; nil asks for none.
    public init(title: String, sentence: String, button: String, typing name: String? = nil) {
        confirm = Button(button).destructive()
        entry = name.map { Entry(placeholder: $0).named(localized("Type “\($0)” to confirm")) }
        wanted = name
        super.init(title: title)
        append(Label(sentence).width(characters: 40))
        if let entry, let name {
            append(Label(localized("Type “\(name)” to confirm")).labels(entry))
            append(entry)
            entry.onChange { [weak self] in self?.check() }
        }
        setButtons([cancel, confirm])
        cancel.onClick { [weak self] in self?.onDone(false) }
        confirm.onClick { [weak self] in self?.onDone(true) }
        check()
    }

    /// Moves the keyboard focus to the text to type, or to the safe button.
    public func focusFirst() {
        if let entry { entry.grabFocus() } else { cancel.grabFocus() }
    }

    private func check() {
        confirm.isEnabled = wanted == nil || entry?.text.trimmed == wanted
    }
}

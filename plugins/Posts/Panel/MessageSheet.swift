import Contract
import ControlAPI
import GtkKit
import PanelKit
import PostsAPI

/// The sheet that asks the author of a post to write to each other.
@MainActor
final class MessageSheet: FormSheet {
    /// Called when the sheet is to be closed.
    var onClose: @MainActor () -> Void = {}
    /// Sends the request.
    var onSend: @MainActor (PostMessageText) async throws -> Void = { _ in }

    private var draft = PostMessageDraft()
    private let text = Entry(width: 12, placeholder: localized("Is it still free?"))
        .named(localized("Your message"))
    private let hint = Label().styled("hint").width(characters: 34)
    private let send = Button(localized("Ask")).suggested()

    /// Creates a sheet.
    /// - Parameter name: the name of the author.
    init(to name: String) {
        super.init(title: localized("Message \(name)"))
        append(
            Label(
                localized(
                    "They see your nickname and this line, and decide whether the two of you "
                        + "write to each other. Either of you can end it.")
            ).styled("dim").width(characters: 36))
        append(field(localized("Your message"), text))
        let cancel = Button(localized("Cancel")) { [weak self] in self?.onClose() }
        setFooter(hint: hint, buttons: [cancel, send])
        text.onChange { [weak self] in self?.update() }
        text.onEnter { [weak self] in self?.submit() }
        send.onClick { [weak self] in self?.submit() }
        update()
    }

    /// The map is not needed to write a line.
    override var usesMap: Bool { false }

    /// Moves the keyboard focus to the line.
    func focusFirst() { text.grabFocus() }

    private func update() {
        draft.text = text.text
        let fault = draft.fault
        let isBegun = !draft.text.trimmed.isEmpty
        hint.text = fault.map { isBegun ? "⚠ \($0)" : $0 } ?? draft.countText
        hint.setStyle("fault", on: fault != nil && isBegun)
        send.isEnabled = fault == nil
        setFault(nil)
    }

    private func submit() {
        guard send.isEnabled else { return }
        send.isEnabled = false
        Task {
            do {
                try await onSend(try draft.checked())
                onClose()
            } catch {
                update()
                setFault(CommandFault(error).shown(labels: ["text": localized("The text")]))
            }
        }
    }
}

import Contract
import ControlAPI
import FeaturesAPI
import GtkKit
import PanelKit

/// The sheet for the user's own nickname for a mate.
@MainActor
final class NicknameSheet: Sheet {
    /// Called when the sheet is finished; `true` if the nickname was saved or removed.
    var onDone: @MainActor (_ isSent: Bool) -> Void = { _ in }
    /// The text as it is now.
    var text: String { entry.text }

    private let node: any NodeConnection
    private let person: Key
    private let entry: Entry

    /// Creates a sheet.
    /// - Parameters:
    ///   - name: the mate's own name.
    ///   - nickname: the nickname that the mate has now; nil if they have none.
    ///   - draft: the text that was typed before and not saved; nil if there is none.
    init(
        node: any NodeConnection, person: Key, name: String, nickname: String?, draft: String?
    ) {
        self.node = node
        self.person = person
        entry = Entry(width: 20, placeholder: name).named(localized("Nickname"))
        super.init(title: localized("Nickname for \(name)"))
        entry.text = draft ?? nickname ?? ""
        append(
            Label(
                localized(
                    "Only you see it, on your own devices. Without one, the name that they chose is "
                        + "shown.")
            ).width(characters: 40))
        append(Label(localized("Nickname")).labels(entry))
        append(entry)
        append(faultView)
        var buttons = [Button(localized("Cancel")) { [weak self] in self?.onDone(false) }]
        if nickname != nil {
            buttons.append(Button(localized("Remove nickname")) { [weak self] in self?.submit("") })
        }
        let save = Button(localized("Save")).suggested()
        setButtons(buttons + [save])
        entry.onEnter { [weak self] in self?.submit() }
        save.onClick { [weak self] in self?.submit() }
    }

    /// Moves the keyboard focus to the nickname.
    func focusFirst() { entry.grabFocus() }

    private func submit() { submit(entry.text.trimmed) }

    private func submit(_ nickname: String) {
        Task {
            do {
                _ = try await node.call(
                    MateCommands.rename,
                    RenameMate(person: NameOrKey(person), as: OwnNickname(nickname)))
                onDone(true)
            } catch {
                setFault(CommandFault(error).shown(labels: ["as": localized("The nickname")]))
            }
        }
    }
}

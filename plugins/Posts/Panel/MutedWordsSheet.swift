import Contract
import ControlAPI
import GtkKit
import PanelKit
import PostsAPI

/// The sheet of the words that the user muted.
@MainActor
final class MutedWordsSheet: Sheet {
    /// Called when the sheet is to be closed.
    var onClose: @MainActor () -> Void = {}
    /// Mutes a word.
    var onMute: @MainActor (MutedWord) async throws -> Void = { _ in }
    /// Called with a word that is no longer muted.
    var onUnmute: @MainActor (MutedWord.Shown) -> Void = { _ in }

    private let entry = Entry(width: 12, placeholder: localized("such as “fireworks”"))
        .named(localized("Word to mute"))
    private let mute = Button(localized("Mute"))
    private let list = RowList().role(.list).named(localized("Muted words"))
    private let close = Button(localized("Close"))
    private var shown: [MutedWord.Shown]?

    init() {
        super.init(title: localized("Muted words"))
        append(
            Label(
                localized(
                    "Posts, comments, nicknames, wishes and reviews with one of these words are "
                        + "not shown to you. Nobody else learns that.")
            ).styled("dim").width(characters: 36))
        append(
            Box(
                TextScale.isLarge ? .down : .across, spacing: 8,
                [entry.expanding(across: true), mute]))
        append(faultView)
        append(list)
        setButtons([close])
        entry.onChange { [weak self] in self?.typed() }
        entry.onEnter { [weak self] in self?.submit() }
        mute.onClick { [weak self] in self?.submit() }
        close.onClick { [weak self] in self?.onClose() }
        typed()
    }

    /// Moves the keyboard focus to the word.
    func focusFirst() { entry.grabFocus() }

    private func typed() {
        mute.isEnabled = !entry.text.trimmed.isEmpty
        setFault(nil)
    }

    private func submit() {
        guard mute.isEnabled else { return }
        mute.isEnabled = false
        Task {
            do {
                try await onMute(try MutedWord(entry.text, field: "word"))
                entry.text = ""
                typed()
            } catch {
                typed()
                setFault(CommandFault(error).shown(labels: ["word": localized("The word")]))
            }
        }
    }

    /// Shows the muted words.
    func show(_ words: [MutedWord.Shown]) {
        guard words != shown else { return }
        shown = words
        list.isVisible = !words.isEmpty
        list.replaceRows(
            with: words.map { word in
                let row = ActionRow(word.string)
                let remove = Button(icon: "user-trash-symbolic", name: localized("Remove"))
                    .flat().named(localized("Show “\(word.string)” again"))
                remove.onClick { [weak self] in self?.onUnmute(word) }
                row.addSuffix(remove)
                return row
            })
    }
}

public import Contract
import ControlAPI
public import FeaturesAPI
public import GtkKit

/// The words that the user muted, each with a button that ends that, and a field that mutes
/// another.
@MainActor
public final class MutedWordsView: Box {
    private let context: PanelContext
    private let entry = Entry(width: 12, placeholder: localized("such as “fireworks”"))
        .named(localized("Word to mute"))
    private let mute = Button(localized("Mute"))
    private let fault = Label().styled("fault").role(.alert).width(characters: 36).hidden()
    private let list = RowList().role(.list).named(localized("Muted words"))
    private var shown: [MutedWord.Shown] = []

    /// Creates a view without words, which mutes and unmutes words at the node of a panel.
    public init(_ context: PanelContext) {
        self.context = context
        super.init(.down, spacing: 12)
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
        append(fault)
        append(list.hidden())
        entry.onChange { [weak self] in self?.typed() }
        entry.onEnter { [weak self] in self?.submit() }
        mute.onClick { [weak self] in self?.submit() }
        typed()
    }

    /// Moves the keyboard focus to the field.
    public func focusFirst() { entry.grabFocus() }

    /// Shows these words.
    public func show(_ words: [MutedWord.Shown]) {
        guard words != shown else { return }
        shown = words
        list.isVisible = !words.isEmpty
        list.replaceRows(
            with: words.map { word in
                let row = ActionRow(word.string)
                let remove = Button(icon: "user-trash-symbolic", name: localized("Remove"))
                    .flat().named(localized("Show “\(word.string)” again"))
                remove.onClick { [weak self] in self?.unmute(word) }
                row.addSuffix(remove)
                return row
            })
    }

    private func typed() {
        mute.isEnabled = !entry.text.trimmed.isEmpty
        setFault(nil)
    }

    private func setFault(_ sentence: String?) {
        fault.text = sentence.map { "⚠ \($0)" } ?? ""
        fault.isVisible = sentence != nil
    }

    private func submit() {
        guard mute.isEnabled else { return }
        mute.isEnabled = false
        Task {
            do {
                let word = try MutedWord(entry.text, field: "word")
                _ = try await context.node.call(MutedWordCommands.add, NameMutedWord(word: word))
                entry.text = ""
                typed()
            } catch {
                typed()
                setFault(CommandFault(error).shown(labels: ["word": localized("The word")]))
            }
        }
    }

    private func unmute(_ word: MutedWord.Shown) {
        do {
            context.perform(
                MutedWordCommands.remove, NameMutedWord(word: try MutedWord(word.string)))
        } catch { context.report(error) }
    }
}

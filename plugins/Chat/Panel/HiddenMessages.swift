import ChatAPI
import Contract
import PanelKit

/// The messages that the user deletes for themselves: each is hidden at once, and deleted when it
/// can no longer be undone.
@MainActor
final class HiddenMessages {
    /// Called when other messages are hidden.
    var onChange: @MainActor () -> Void = {}
    /// The ids of the messages that are hidden. One that is deleted stays among them.
    private(set) var ids: Set<RecordKey> = []

    private let context: PanelContext

    /// Creates an empty set.
    init(_ context: PanelContext) {
        self.context = context
    }

    /// Hides a message, and deletes it unless the user undoes that within a few seconds.
    func hide(_ message: RecordKey) {
        ids.insert(message)
        onChange()
        context.offerUndo(
            UndoOffer(
                localized("Message deleted for you"), undo: { [weak self] in self?.show(message) }
            ) { [weak self, context] in
                context.perform(
                    ChatCommands.delete,
                    DeleteMessage(id: RecordPrefix(message), forEveryone: false),
                    then: { isDone in if !isDone { self?.show(message) } })
            })
    }

    private func show(_ message: RecordKey) {
        ids.remove(message)
        onChange()
    }
}

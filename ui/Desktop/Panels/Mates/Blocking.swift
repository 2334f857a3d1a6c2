import Contract
import FeaturesAPI
import PanelKit

/// Blocks people after a question, and offers to undo it.
@MainActor
final class Blocking {
    /// Called when other mates are hidden.
    var onChange: @MainActor () -> Void = {}
    /// The mates who are hidden because they are being blocked.
    private(set) var hidden: Set<Key> = []

    private let context: PanelContext

    /// Creates a value that has blocked nobody.
    init(_ context: PanelContext) {
        self.context = context
    }

    /// Asks for the reason, and blocks a person if the user confirms.
    func ask(about person: Key, name: String) {
        let sheet = BlockSheet(about: person, name: name)
        sheet.onDone = { [weak self, context, weak sheet] request in
            sheet.map(context.dismiss)
            if let request { self?.block(person, name: name, request) }
        }
        context.present(sheet)
        sheet.focusFirst()
    }

    /// Blocks a person. A block ends a mateship, which to unblock does not bring back, so a mate is
    /// hidden at once and blocked when it can no longer be undone; anyone else is blocked at once.
    func block(_ person: Key, name: String, _ request: BlockPerson) {
        let sentence = localized("Blocked: \(name)")
        guard context.people.mates.contains(where: { $0.person == person }) else {
            context.perform(MateCommands.block, request)
            return context.offerUndo(
                UndoOffer(
                    sentence,
                    undo: { [context] in
                        context.perform(
                            MateCommands.unblock, UnblockPerson(person: NameOrKey(person)))
                    }, settle: {}))
        }
        hidden.insert(person)
        onChange()
        context.offerUndo(
            UndoOffer(sentence, undo: { [weak self] in self?.show(person) }) {
                [weak self, context] in
                context.perform(
                    MateCommands.block, request, then: { _ in self?.show(person) })
            })
    }

    /// Hides a mate no longer: one who is blocked is no mate then.
    private func show(_ person: Key) {
        hidden.remove(person)
        onChange()
    }
}

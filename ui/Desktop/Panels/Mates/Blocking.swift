import Contract
import FeaturesAPI
import PanelKit

/// Blocks people after a question. Blocking a person who is no mate can be undone.
@MainActor
final class Blocking {
    private let context: PanelContext

    /// Creates a value that has blocked nobody.
    init(_ context: PanelContext) {
        self.context = context
    }

    /// Asks for the reason, and blocks a person if the user confirms.
    func ask(about person: Key, name: String) {
        let sheet = BlockSheet(about: person, name: name, isMate: isMate(person))
        sheet.onDone = { [weak self, context, weak sheet] request in
            sheet.map(context.dismiss)
            if let request { self?.block(person, name: name, request) }
        }
        context.present(sheet)
        sheet.focusFirst()
    }

    /// Blocks a person at once. A block ends a mateship, which unblocking does not bring back, so
    /// it offers to undo the block of others only.
    func block(_ person: Key, name: String, _ request: BlockPerson) {
        let canBeUndone = !isMate(person)
        context.perform(MateCommands.block, request) { [context] _ in
            guard canBeUndone else { return }
            context.offerUndo(
                UndoOffer(
                    localized("Blocked: \(name)"),
                    undo: {
                        context.perform(
                            MateCommands.unblock, UnblockPerson(person: NameOrKey(person)))
                    }, settle: {}))
        }
    }

    private func isMate(_ person: Key) -> Bool {
        context.people.mates.contains { $0.person == person }
    }
}

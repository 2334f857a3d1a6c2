import Contract
import FeaturesAPI
import GtkKit
import PanelKit

/// The blocked people, each with a button that unblocks them.
@MainActor
final class BlockedView: Box {
    private let context: PanelContext
    private let list = RowList().role(.list).named(localized("Blocked people"))
    private let nobody = ActionRow(
        localized("Nobody is blocked"),
        subtitle: localized("You block a mate in their details, and someone nearby in their menu."))
    private var shown: [BlockList.Entry]?

    init(_ context: PanelContext) {
        self.context = context
        super.init(.down)
        append(list)
    }

    /// Shows these people; nothing if they are not known yet.
    func show(_ blocked: [BlockList.Entry]?, now: Timestamp) {
        guard let blocked, blocked != shown else { return }
        shown = blocked
        let names = SettingText.names(of: blocked)
        let rows = zip(blocked, names).map { row(for: $0, name: $1, now: now) }
        list.replaceRows(with: rows.isEmpty ? [nobody] : rows)
    }

    private func row(for entry: BlockList.Entry, name: String, now: Timestamp) -> ActionRow {
        let row = ActionRow(name, subtitle: SettingText.block(entry, now: now))
        let unblock = Button(localized("Unblock")) { [context] in
            context.perform(MateCommands.unblock, UnblockPerson(person: NameOrKey(entry.person)))
        }
        row.addSuffix(unblock.named(localized("Unblock \(name)")))
        return row.stackedIfLarge()
    }
}

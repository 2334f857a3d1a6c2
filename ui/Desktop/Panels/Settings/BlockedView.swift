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
        localized("Nobody is blocked"), subtitle: localized("You block a mate in their details."))
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
        list.replaceRows(with: blocked.isEmpty ? [nobody] : blocked.map { row(for: $0, now: now) })
    }

    private func row(for entry: BlockList.Entry, now: Timestamp) -> ActionRow {
        let name = entry.name?.string ?? entry.suffix.string
        let row = ActionRow(name, subtitle: SettingText.block(entry, now: now))
        let unblock = Button(localized("Unblock")) { [context] in
            context.perform(MateCommands.unblock, UnblockPerson(person: NameOrKey(entry.person)))
        }
        row.addSuffix(unblock.named(localized("Unblock \(name)")))
        return row.stackedIfLarge()
    }
}

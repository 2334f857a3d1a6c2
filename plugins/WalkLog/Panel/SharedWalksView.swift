import Contract
import GtkKit
import PanelKit
import WalkLogAPI

/// The walks that mates show, and what the user still shows of walks that are deleted.
@MainActor
final class SharedWalksView: Box {
    /// Called with a mate's walk to open.
    var onOpen: @MainActor (SharedWalk) -> Void = { _ in }
    /// Called with a share that is to be taken back.
    var onUnshare: @MainActor (SharedWalk) -> Void = { _ in }

    private let rows = RowList().role(.list).named(localized("Shared walks"))
    private var shown: [SharedWalk] = []
    /// The rows that open a walk.
    private var openers: [RecordKey: ActionRow] = [:]

    init() {
        super.init(.down, spacing: 8)
        append(Label(localized("Shared walks")).styled("heading"))
        append(rows)
        hidden()
    }

    /// Shows the walks.
    func show(_ walks: [SharedWalk], now: Timestamp) {
        isVisible = !walks.isEmpty
        guard walks != shown else { return }
        shown = walks
        openers = [:]
        rows.replaceRows(with: walks.map { row(for: $0, now: now) })
    }

    /// Moves the keyboard focus to a mate's walk, after its page was closed.
    func focus(_ id: RecordKey) { openers[id]?.grabFocus() }

    private func row(for walk: SharedWalk, now: Timestamp) -> ActionRow {
        let name = walk.mate.shownName
        let time = walk.startedMs.dayAndTime(now: now)
        guard walk.mine else {
            let row = ActionRow(
                localized("\(name) · \(time)"), subtitle: WalkText.line(of: walk))
            // Nothing is left of a short walk without 200 m around both ends.
            guard walk.pointsCount.value > 1 else { return row }
            row.addSuffix(Icon("go-next-symbolic"))
            row.onActivate { [weak self] in self?.onOpen(walk) }
            openers[walk.id] = row
            return row
        }
        let row = ActionRow(
            localized("\(name) sees a deleted walk"), subtitle: time)
        let takeBack = Button(localized("Take back")) { [weak self] in self?.onUnshare(walk) }
        row.addSuffix(takeBack.named(localized("Take back from \(name)")))
        return row.stackedIfLarge()
    }
}

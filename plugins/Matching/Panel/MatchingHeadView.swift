import GtkKit
import PanelKit

/// The state of the user, and the one action of the page.
@MainActor
final class MatchingHeadView: Box {
    /// Called with the action.
    var onAction: @MainActor (MatchingHead.Action) -> Void = { _ in }
    /// Called when the match is to be ended, or what leads to it taken back.
    var onCancel: @MainActor () -> Void = {}

    private let title = Label().styled("heading").width(characters: 34).role(.status)
    private let detail = Label().width(characters: 34)
    private let action = Button("").suggested()
    private let cancel = Button("")
    private var shown: MatchingHead.Action?

    init() {
        super.init(.down, spacing: 8)
        styled("card").role(.group).named(localized("Your match"))
        let buttons = Box(TextScale.isLarge ? .down : .across, spacing: 8, [action, cancel])
        for view in [title, detail, buttons.aligned(.start)] { append(view) }
        action.onClick { [weak self] in
            guard let self, let shown else { return }
            onAction(shown)
        }
        cancel.onClick { [weak self] in self?.onCancel() }
    }

    /// Shows a moment.
    func show(_ head: MatchingHead) {
        shown = head.action
        title.text = head.title
        detail.text = head.detail
        action.text = head.action?.title ?? ""
        action.isVisible = head.action != nil
        if action.isEnabled != head.isEnabled { action.isEnabled = head.isEnabled }
        cancel.text = head.cancelTitle ?? ""
        cancel.isVisible = head.cancelTitle != nil
    }
}

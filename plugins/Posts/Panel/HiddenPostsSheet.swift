import Contract
import ControlAPI
import GtkKit
import PanelKit
import PostsAPI

/// The sheet of the posts that the user hid or reported.
@MainActor
final class HiddenPostsSheet: Sheet {
    /// Called when the sheet is to be closed.
    var onClose: @MainActor () -> Void = {}
    /// Called with a post to show again.
    var onUnhide: @MainActor (RecordKey) -> Void = { _ in }

    private let empty = Label(localized("You have hidden no posts.")).styled("dim")
        .width(characters: 34)
    private let list = RowList().role(.list).named(localized("Hidden posts"))
    private let close = Button(localized("Close"))
    private var shown: [HiddenPosts.Entry]?

    init() {
        super.init(title: localized("Hidden posts"))
        append(empty)
        append(list)
        setButtons([close])
        close.onClick { [weak self] in self?.onClose() }
    }

    /// Shows the hidden posts.
    func show(_ posts: [HiddenPosts.Entry], now: Timestamp) {
        guard posts != shown else { return }
        shown = posts
        empty.isVisible = posts.isEmpty
        list.isVisible = !posts.isEmpty
        list.replaceRows(
            with: posts.map { post in
                let title = post.title.map(PostWords.title) ?? localized("A post that is gone")
                let reason = post.reason.map(PostWords.name)
                let row = ActionRow(
                    title,
                    subtitle: [post.atMs.dayAndTime(now: now), reason].compactMap { $0 }
                        .joined(separator: " · "))
                let show = Button(localized("Show again"))
                    .named(localized("Show “\(title)” again"))
                show.onClick { [weak self] in self?.onUnhide(post.id) }
                row.addSuffix(show)
                return row.stackedIfLarge()
            })
    }

    /// Moves the keyboard focus to the button that closes the sheet.
    func focusClose() { close.grabFocus() }
}

import Contract
import GtkKit
import PanelKit
import PostsAPI

/// The page of the user's own posts and drafts.
@MainActor
final class OwnPostsView: Box {
    /// Called when the page is to be left.
    var onBack: @MainActor () -> Void = {}
    /// Called with a draft to go on with.
    var onDraft: @MainActor (SavedPostDraft) -> Void = { _ in }
    /// Called with a draft to delete.
    var onDiscard: @MainActor (SavedPostDraft) -> Void = { _ in }
    /// Called when a post is to be written.
    var onWrite: @MainActor () -> Void = {}
    /// Called when the next page of own posts is to be shown.
    var onMore: @MainActor () -> Void = {}
    /// The user's posts.
    let rows: PostRows

    private let back = Button(
        icon: "go-previous-symbolic", name: localized("Back to the neighbourhood")
    ).flat().aligned(.start, .centre)
    private let drafts = RowList().role(.list).named(localized("Drafts"))
    private let draftsPart: Box
    private let postsHeading = Label(localized("Published")).styled("heading")
    private let empty = Label().styled("dim").width(characters: 34).role(.status)
    private let write = Button(localized("Write a post…")).suggested().aligned(.start)
    private let more = Button(localized("Older posts")).aligned(.start)
    private var shownDrafts: [SavedPostDraft]?

    /// Creates the page.
    init(_ thumbnails: PostThumbnailLoader) {
        rows = PostRows(localized("Your posts"), thumbnails)
        draftsPart = Box(
            .down, spacing: 8, [Label(localized("Drafts")).styled("heading"), drafts])
        super.init(.down, spacing: 16)
        styled("page")
        let title = Label(localized("Your posts")).styled("page-title").width(characters: 20)
            .expanding(across: true).aligned(.fill, .centre)
        for view in [
            Box(.across, spacing: 8, [back, title]), empty, write, draftsPart, postsHeading, rows,
            more,
        ] { append(view) }
        back.onClick { [weak self] in self?.onBack() }
        write.onClick { [weak self] in self?.onWrite() }
        more.onClick { [weak self] in self?.onMore() }
    }

    /// Shows the posts and drafts.
    func show(_ model: PostsModel, location: Coordinate?, now: Timestamp) {
        let posts = model.mine?.posts ?? []
        let kept = model.drafts ?? []
        let isKnown = model.mine != nil && model.drafts != nil
        let isEmpty = posts.isEmpty && kept.isEmpty
        empty.text =
            isKnown
            ? localized("You have written nothing in the last 30 days.")
            : localized("One moment…")
        empty.isVisible = isEmpty
        write.isVisible = isEmpty && isKnown
        postsHeading.isVisible = !posts.isEmpty
        rows.show(posts.map { PostEntry($0, from: location, now: now) })
        more.isVisible = model.mine?.after != nil
        show(kept, now: now)
    }

    private func show(_ kept: [SavedPostDraft], now: Timestamp) {
        draftsPart.isVisible = !kept.isEmpty
        guard kept != shownDrafts else { return }
        shownDrafts = kept
        drafts.replaceRows(
            with: kept.map { draft in
                let title = PostWords.title(draft.title)
                let row = ActionRow(title, subtitle: draft.atMs.dayAndTime(now: now))
                let discard = Button(icon: "user-trash-symbolic", name: localized("Delete"))
                    .flat().named(localized("Delete the draft “\(title)”"))
                discard.onClick { [weak self] in self?.onDiscard(draft) }
                let edit = Button(localized("Go on…"))
                    .named(localized("Go on with the draft “\(title)”"))
                edit.onClick { [weak self] in self?.onDraft(draft) }
                row.addSuffix(discard)
                row.addMainSuffix(edit)
                return row.stackedIfLarge()
            })
    }

    /// Moves the keyboard focus to the button that leaves the page.
    func focusBack() { back.grabFocus() }

    /// Moves the keyboard focus to a post, after its page was closed.
    func focus(_ id: RecordKey) { if !rows.focus(id) { back.grabFocus() } }
}

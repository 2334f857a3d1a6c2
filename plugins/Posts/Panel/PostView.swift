import Contract
import GtkKit
import PanelKit
import PostsAPI

/// The page of one post: its text and photos, what can be done about it, and its comments.
@MainActor
final class PostView: Box {
    /// Called when the page is to be left.
    var onBack: @MainActor () -> Void = {}
    /// Called when the user likes the post, or takes that back.
    var onLike: @MainActor (_ isOn: Bool) -> Void = { _ in }
    /// Called with another action.
    var onAction: @MainActor (PostScreen.Action) -> Void = { _ in }
    /// Called when the post is to be shown on the map.
    var onMap: @MainActor () -> Void = {}
    /// Called with what is typed as a comment.
    var onType: @MainActor (String) -> Void = { _ in }
    /// Called when the comment is to be sent.
    var onSend: @MainActor () -> Void = {}
    /// Called when more comments are to be shown.
    var onMore: @MainActor () -> Void = {}
    /// Returns the entries of a comment's menu.
    var commentActions: @MainActor (RecordKey) -> [PanelAction] = { _ in [] }
    /// The photos.
    let photos: PostPhotoGrid

    private let back = Button(
        icon: "go-previous-symbolic", name: localized("Back to the neighbourhood")
    ).flat().aligned(.start, .centre)
    private let title = Label().styled("page-title").width(characters: 22)
    private let line = Label().styled("dim").width(characters: 34)
    private let detail = Label().styled("dim").width(characters: 34).role(.status)
    private let walk = Label().width(characters: 34)
    private let text = Label().width(characters: 34).selectable().skippedByTab()
    private let like = Button("")
    private let map = Button(localized("On the map"))
    private let actions = Box(TextScale.isLarge ? .down : .across, spacing: 6).aligned(.start)
    private let note = Label().width(characters: 34).role(.status)
    private let expiry = Label().styled("dim").width(characters: 34)
    private let more: MenuButton
    private let hint = Label().styled("dim").width(characters: 34).role(.status)
    private let list = Box(.down).styled("list-box").role(.list).named(localized("Comments"))
    private let older = Button(localized("More comments")).aligned(.start)
    private let entry = TextArea(placeholder: localized("Write a comment"))
        .named(localized("Your comment"))
    private let count = Label().styled("hint").width(characters: 24)
    private let send = Button(localized("Comment")).suggested()
    private var rows: [RecordKey: CommentRow] = [:]
    private var shownActions: [PostScreen.Action] = []
    private var isLiked = false
    private var isShowing = false

    private static let entryPixelsMax: Int32 = 120

    /// Creates the page.
    /// - Parameter menu: the entries of the menu of the post.
    init(_ thumbnails: PostThumbnailLoader, menu: @escaping @MainActor () -> [PanelAction]) {
        photos = PostPhotoGrid(thumbnails)
        more = MenuButton(menu).titled(localized("More for this post")).flat()
        super.init(.down, spacing: 12)
        styled("page")
        let head = Box(
            .across, spacing: 6,
            [back, Box(.down).expanding(across: true), more.aligned(.end, .centre)])
        let buttons = Box(
            TextScale.isLarge ? .down : .across, spacing: 6, [like, map]
        ).aligned(.start)
        let footer = Box(
            TextScale.isLarge ? .down : .across, spacing: 8,
            [count.expanding(across: true), send.aligned(.end, .centre)])
        for view in [
            head, title, line, detail, walk, text, photos, buttons, note, actions, expiry,
            Label(localized("Comments")).styled("heading"), hint, list, older,
            entry.framed(growingUpTo: Self.entryPixelsMax).minimum(height: 64), footer,
        ] { append(view) }
        connect()
    }

    private func connect() {
        back.onClick { [weak self] in self?.onBack() }
        like.onClick { [weak self] in
            guard let self else { return }
            onLike(!isLiked)
        }
        map.onClick { [weak self] in self?.onMap() }
        older.onClick { [weak self] in self?.onMore() }
        entry.onChange { [weak self] in
            guard let self, !isShowing else { return }
            onType(entry.text)
        }
        entry.onEnter { [weak self] in self?.submit() }
        send.onClick { [weak self] in self?.submit() }
    }

    private func submit() { if send.isEnabled { onSend() } }

    /// Shows the post.
    /// - Parameters:
    ///   - draft: the comment as it is typed.
    ///   - isLocated: whether the post has a location.
    func show(_ screen: PostScreen, _ draft: CommentDraft, isLocated: Bool) {
        title.text = screen.title ?? localized("Post")
        show(screen.line, in: line)
        show(screen.detail, in: detail)
        show(screen.walk ?? "", in: walk)
        show(screen.text, in: text)
        show(screen.expiry ?? "", in: expiry)
        photos.show(screen.photos)
        isLiked = screen.isLiked
        like.text = isLiked ? localized("♥ You like it") : localized("♡ Like")
        like.named(isLiked ? localized("Take the like back") : localized("Like this post"))
        like.isVisible = screen.canLike
        map.isVisible = isLocated
        show(screen.note ?? "", in: note)
        show(screen.actions)
        more.update()
        show(screen.hint ?? "", in: hint)
        showComments(screen.comments)
        older.isVisible = screen.hasMore
        show(draft)
    }

    private func show(_ words: String, in label: Label) {
        label.text = words
        label.isVisible = !words.isEmpty
    }

    private func show(_ wanted: [PostScreen.Action]) {
        actions.isVisible = !wanted.isEmpty
        guard wanted != shownActions else { return }
        shownActions = wanted
        actions.replaceChildren(
            with: wanted.map { action in
                Button(action.title) { [weak self] in self?.onAction(action) }
            })
    }

    private func showComments(_ comments: [CommentEntry]) {
        let ids = Set(comments.map(\.id))
        rows = rows.filter { ids.contains($0.key) }
        list.replaceChildren(
            with: comments.map { comment in
                let row = rows[comment.id] ?? makeRow(comment.id)
                row.show(comment)
                return row
            })
        list.isVisible = !comments.isEmpty
    }

    private func makeRow(_ id: RecordKey) -> CommentRow {
        let row = CommentRow { [weak self] in self?.commentActions(id) ?? [] }
        rows[id] = row
        return row
    }

    private func show(_ draft: CommentDraft) {
        isShowing = true
        entry.text = draft.text
        isShowing = false
        count.text = draft.fault.map { "⚠ \($0)" } ?? draft.countText
        count.setStyle("fault", on: draft.fault != nil)
        if send.isEnabled != draft.canBeSent { send.isEnabled = draft.canBeSent }
    }

    /// Moves the keyboard focus to the button that leaves the page.
    func focusBack() { back.grabFocus() }
}

import Contract
import GtkKit
import PanelKit
import PostsAPI

/// A comment on a post at one moment.
struct CommentEntry: Equatable, Sendable {
    /// The comment's id.
    var id: RecordKey
    /// The author, and whether they wrote the post.
    var author: String
    /// Whether the author is a mate, and the time.
    var line: String
    /// The text.
    var text: String
    /// Whether the user wrote it, and so can delete it.
    var isMine: Bool

    /// The entry of a comment.
    init(_ comment: PostComment, now: Timestamp) {
        id = comment.id
        let name = PostWords.author(comment.name, comment.suffix, isMine: comment.mine)
        author = comment.byAuthor ? localized("\(name) (author)") : name
        line = [PostWords.mark(isMate: comment.mate), comment.atMs.dayAndTime(now: now)]
            .compactMap { $0 }.joined(separator: " · ")
        text = PostWords.comment(comment.text)
        isMine = comment.mine
    }
}

/// One comment, with a menu.
@MainActor
final class CommentRow: Box {
    private let author = Label().styled("row-title").width(characters: 24)
    private let line = Label().styled("dim").width(characters: 24)
    private let text = Label().width(characters: 32).selectable().skippedByTab()
    private let more: MenuButton

    /// Creates a row.
    /// - Parameter actions: the entries of its menu.
    init(_ actions: @escaping @MainActor () -> [PanelAction]) {
        more = MenuButton(actions).flat()
        super.init(.down, spacing: 2)
        styled("item").role(.listItem)
        let head = Box(.down, spacing: 2, [author, line]).expanding(across: true)
        append(Box(.across, spacing: 6, [head, more.aligned(.end, .start)]))
        append(text)
    }

    /// Shows a comment.
    func show(_ entry: CommentEntry) {
        author.text = entry.author
        line.text = entry.line
        text.text = entry.text
        named("\(entry.author), \(entry.line)")
        more.titled(localized("More for the comment of \(entry.author)"))
        more.update()
    }
}

import Contract
import GtkKit
import PanelKit
import PostsAPI

/// One post in a list: a press opens it.
@MainActor
final class PostRow: RowButton {
    private let title = Label().styled("row-title").width(characters: 26)
    private let line = Label().styled("dim").width(characters: 28)
    private let detail = Label().styled("dim").width(characters: 28)
    private let photo = PictureView(name: "").minimum(width: 56, height: 56)
    private var shown: PostEntry?

    /// Creates a row; `onOpen` opens its post.
    init(onOpen: @escaping @MainActor () -> Void) {
        let texts = Box(.down, spacing: 2, [title, line, detail]).expanding(across: true)
        super.init(
            Box(
                TextScale.isLarge ? .down : .across, spacing: 10,
                [texts, photo.aligned(.end, .centre)]), onOpen)
        styled("post-row")
    }

    /// The first photo of the post that is shown.
    var photoID: RecordKey? { shown?.photo }

    /// Shows a post.
    /// - Parameter picture: the thumbnail of its first photo, if it is here.
    func show(_ entry: PostEntry, picture: Picture?) {
        if photo.picture !== picture { photo.picture = picture }
        guard entry != shown else { return }
        shown = entry
        title.text = entry.title
        line.text = entry.line
        detail.text = entry.detail
        detail.isVisible = !entry.detail.isEmpty
        photo.isVisible = entry.photo != nil
        named(entry.title).described(
            [entry.line, entry.detail, entry.photo == nil ? "" : localized("with a photo")]
                .filter { !$0.isEmpty }.joined(separator: ". "))
    }
}

/// Posts one below the other. Only the rows near those in sight exist.
@MainActor
final class PostRows: Box {
    /// Called with a post to open.
    var onOpen: @MainActor (RecordKey) -> Void = { _ in }
    /// Called with the last row in sight.
    var onSight: @MainActor (_ lastIndex: Int) -> Void = { _ in }

    private let list: VirtualList<RecordKey, PostRow>
    private let content: Content

    /// The posts that the rows show.
    @MainActor
    private final class Content {
        let thumbnails: PostThumbnailLoader
        var entries: [RecordKey: PostEntry] = [:]
        var onOpen: @MainActor (RecordKey) -> Void = { _ in }

        init(_ thumbnails: PostThumbnailLoader) { self.thumbnails = thumbnails }

        func show(_ row: PostRow, _ id: RecordKey) {
            guard let entry = entries[id] else { return }
            row.show(entry, picture: entry.photo.flatMap(thumbnails.picture(of:)))
        }
    }

    /// Creates an empty list.
    /// - Parameter name: the accessible name.
    init(_ name: String, _ thumbnails: PostThumbnailLoader) {
        let content = Content(thumbnails)
        self.content = content
        let box = Box(.down).styled("list-box").role(.list).named(name)
        list = VirtualList(box) {
            box.replaceChildren(with: $0)
        } make: { id in
            PostRow { content.onOpen(id) }
        } show: { row, id in
            content.show(row, id)
        }
        super.init(.down)
        append(list)
        content.onOpen = { [weak self] in self?.onOpen($0) }
        list.onSight = { [weak self] in self?.onSight($0) }
    }

    /// Shows these posts; rows that stay keep their position and focus.
    func show(_ entries: [PostEntry]) {
        content.entries = Dictionary(
            entries.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        list.show(entries.map(\.id))
        isVisible = !entries.isEmpty
    }

    /// Shows the thumbnails that are here now.
    func showThumbnails() { list.show(list.ids) }

    /// Moves the keyboard focus to a post.
    /// - Returns: false if it is not in the list.
    @discardableResult
    func focus(_ id: RecordKey) -> Bool { list.focus(id) }
}

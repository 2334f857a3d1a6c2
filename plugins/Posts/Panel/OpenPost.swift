import Contract
import PanelKit
import PostsAPI

/// A post that is open, with the comments that are loaded.
struct OpenPost: Equatable, Sendable {
    /// The post's id.
    let id: RecordKey
    /// The post; nil before the first answer, if it is in no list.
    private(set) var post: Post?
    /// The loaded comments, the oldest first, each once.
    private(set) var comments: [PostComment] = []
    /// The cursor of the next comments; nil after the last ones.
    private(set) var after: Cursor?
    /// The number of comments that are left out.
    private(set) var hiddenCount = 0
    /// Whether the user has hidden the post.
    private(set) var isHidden = false
    /// Whether the node has answered.
    private(set) var isLoaded = false
    private var pagesCount = 0

    /// The largest number of pages of comments that an event loads anew.
    static let pagesRepeatedMax = 10

    /// Opens a post, which may be known from a list.
    init(id: RecordKey, post: Post? = nil) {
        self.id = id
        self.post = post
    }

    /// Shows the first page of an answer.
    mutating func show(_ detail: PostDetail) {
        comments = []
        hiddenCount = 0
        pagesCount = 0
        append(detail)
    }

    /// Shows the post as it is now.
    mutating func show(_ post: Post) { self.post = post }

    /// Adds a page of comments after the others.
    mutating func append(_ detail: PostDetail) {
        post = detail.post
        add(detail.comments)
        after = detail.after
        hiddenCount += detail.hiddenCount.value
        isHidden = detail.hidden
        isLoaded = true
        pagesCount += 1
    }

    /// Adds a comment that the user has written.
    mutating func append(_ comment: PostComment) { add([comment]) }

    private mutating func add(_ more: [PostComment]) {
        let known = Set(comments.map(\.id))
        comments += more.filter { !known.contains($0.id) }
    }

    /// Loads the post and as many pages of comments as are loaded, and at least one.
    func reloaded(
        _ ask: (Cursor?) async throws -> PostDetail
    ) async throws -> OpenPost {
        var loaded = OpenPost(id: id)
        let wanted = min(max(pagesCount, 1), Self.pagesRepeatedMax)
        repeat {
            loaded.append(try await ask(loaded.after))
        } while loaded.after != nil && loaded.pagesCount < wanted
        return loaded
    }
}

/// A comment as it is typed.
struct CommentDraft: Equatable, Sendable {
    /// The typed text.
    var text: String

    /// The maximum number of characters.
    static var charactersMax: Int { CommentText.rule.characters.upperBound }

    /// The number of characters, as the rule counts them, of the admitted number.
    var countText: String {
        localized("\(text.trimmed.count) of \(Self.charactersMax) characters")
    }

    /// The rule that the text breaks; nil while it is empty, or if it can be sent.
    var fault: String? {
        guard !text.trimmed.isEmpty else { return nil }
        do {
            _ = try checked()
            return nil
        } catch { return error.shown(labels: ["text": localized("The comment")]) }
    }

    /// Whether the comment can be sent.
    var canBeSent: Bool { !text.trimmed.isEmpty && fault == nil }

    /// The text for the request.
    /// - Throws: ``CommandFault/usage(_:field:)`` with the rule that it breaks.
    func checked() throws(CommandFault) -> CommentText { try CommentText(text) }
}

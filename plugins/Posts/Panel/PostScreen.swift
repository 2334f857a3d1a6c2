import Contract
import PanelKit
import PostsAPI

/// The page of one post at one moment.
struct PostScreen: Equatable, Sendable {
    /// A button of the page, apart from the menu.
    enum Action: Equatable, Sendable {
        case edit, renew
        case author(PostConversation.Action)

        /// The text of the button.
        var title: String {
            switch self {
            case .edit: localized("Edit…")
            case .renew: localized("Renew")
            case .author(let action): action.title
            }
        }
    }

    /// The title; nil before the first answer.
    var title: String?
    /// The category, the author and the time.
    var line: String
    /// Whether the author is a mate, the distance, and the numbers of likes, comments and views;
    /// empty without any.
    var detail: String
    /// The numbers of the walk that it tells of.
    var walk: String?
    /// The text; empty without one.
    var text: String
    /// The photos, in their order.
    var photos: [PostPhoto]
    /// Whether the user likes it.
    var isLiked: Bool
    /// Whether the user can like it: it is another person's.
    var canLike: Bool
    /// The buttons.
    var actions: [Action]
    /// The state of the conversation with the author; nil if there is none.
    var note: String?
    /// The day on which it disappears, for its author.
    var expiry: String?
    /// The comments, the oldest first.
    var comments: [CommentEntry]
    /// The sentence in place of comments, or about those that are left out.
    var hint: String?
    /// Whether there are more comments.
    var hasMore: Bool

    /// The screen of an open post.
    /// - Parameters:
    ///   - location: the user's location.
    ///   - message: the request or conversation with the author; nil if there is none.
    init(_ open: OpenPost, from location: Coordinate?, message: PostMessage?, now: Timestamp) {
        let post = open.post
        title = post.map { PostWords.title($0.title) }
        line = post.map { PostWords.line(of: $0, now: now) } ?? localized("One moment…")
        detail =
            post.map { post in
                let counts = PostWords.counts(of: post)
                return [
                    PostWords.mark(isMate: post.mate),
                    PostWords.distance(of: post, from: location), counts.isEmpty ? nil : counts,
                    post.changedMs == nil ? nil : localized("edited or renewed"),
                    open.isHidden ? localized("hidden by you") : nil,
                ].compactMap { $0 }.joined(separator: " · ")
            } ?? ""
        walk = post?.walk.map(PostWords.walk)
        text = post.map { PostWords.text($0.text) } ?? ""
        photos = post?.photos ?? []
        isLiked = post?.liked ?? false
        let isMine = post?.mine ?? false
        canLike = post != nil && !isMine
        let isWhole = open.isLoaded && post?.shortened == false
        let conversation = PostConversation(message, isMate: post?.mate ?? false)
        note = isMine ? nil : conversation.note
        actions =
            !isWhole ? [] : isMine ? [.renew, .edit] : conversation.actions.map(Action.author)
        expiry = post.flatMap { post in
            post.mine
                ? localized("Disappears \(post.expiresMs.dayAndTimeInSentence(now: now)).") : nil
        }
        comments = open.comments.map { CommentEntry($0, now: now) }
        hasMore = open.after != nil
        let hidden = open.hiddenCount
        if hidden > 0 {
            hint = localized(
                Sentence(
                    count: hidden, one: "1 comment is hidden by your settings.",
                    other: "\(hidden) comments are hidden by your settings."))
        } else if comments.isEmpty, open.isLoaded {
            hint = localized("No comments yet.")
        }
    }
}

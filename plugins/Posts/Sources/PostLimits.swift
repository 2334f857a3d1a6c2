internal import PluginKit
internal import PostsAPI

/// The limits of posts.
enum PostLimits {
    /// The rule for a title.
    static let title = PostTitle.rule
    /// The rule for a text.
    static let text = PostText.rule
    /// The rule for a comment.
    static let comment = CommentText.rule
    /// The largest number of photos of one post.
    static let photosCountMax = 10
    /// The side of a cell of the grid to which locations are moved, in metres.
    static let gridMetres = 100.0
    /// A post is popular with so many views, likes or comments, each kind by different people.
    static let popularCountMin = 3
    /// The number of posts in a page.
    static let pageCount = 20
    /// The number of rows after the last one in sight when the next page is asked for.
    static let rowsLeftMax = 2
}

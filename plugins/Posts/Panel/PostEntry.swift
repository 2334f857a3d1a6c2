import Contract
import PanelKit
import PostsAPI

/// A post in the list at one moment, as its row shows it.
struct PostEntry: Equatable, Sendable {
    /// The post.
    var id: RecordKey
    /// The title.
    var title: String
    /// The category, the author and the time.
    var line: String
    /// Whether the author is a mate, the distance, and the numbers of likes and comments; empty
    /// without any.
    var detail: String
    /// The first photo.
    var photo: RecordKey?

    /// The entry of a post.
    /// - Parameter location: the user's location.
    init(_ post: Post, from location: Coordinate?, now: Timestamp) {
        id = post.id
        title = PostWords.title(post.title)
        line = PostWords.line(of: post, now: now)
        let counts = PostWords.counts(of: post)
        detail = [
            PostWords.mark(isMate: post.mate), PostWords.distance(of: post, from: location),
            counts.isEmpty ? nil : counts,
        ].compactMap { $0 }.joined(separator: " · ")
        photo = post.photos.first?.id
    }
}

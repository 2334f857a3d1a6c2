internal import PluginKit
internal import PostsAPI

/// A list of posts: what belongs to it, and the order.
///
/// ``PostReading`` decides how it is read.
struct PostQuery: Sendable {
    /// The order of a list.
    enum Order: Hashable, Sendable {
        /// The newest first.
        case newest
        /// The nearest first, in steps of ``PostLimits/stepMetres``; the newest first within one
        /// step, since many posts are at one point of the grid.
        case nearest
        /// The posts with all these words, the newest first.
        case found(words: String)
    }

    var order: Order
    /// The area; nil lists posts everywhere.
    var area: Area?
    /// The location from which distances are measured.
    var centre: Point?
    /// The space; nil lists all joined neighbourhoods.
    var space: Int64?
    var category: PostCategory?
    var author: PersonID?
    var after: PostCursor?
    var bounds = PostBounds()

    /// Returns the cursor after a row; nil if the row has no place in the list.
    func cursor(after row: Row) -> PostCursor? {
        guard let post = row.entity("entity"), let stamp = row.integer("stamp") else {
            return nil
        }
        switch order {
        case .newest: return .newest(stamp: stamp, post: post)
        case .found:
            // A search that compares the texts of the newest posts has no numbers.
            return row.integer("found").map { .found(number: $0) }
                ?? .walked(stamp: stamp, post: post)
        case .nearest:
            guard let centre = area?.centre, let step = row.integer("step") else { return nil }
            return .nearest(centre: centre, step: step, stamp: stamp, post: post)
        }
    }

    /// The columns of a post, and whether lists leave it out.
    static let columns = """
        p.*, p.creator IN (SELECT person FROM \(SharedViews.blocked)) AS is_blocked,
            EXISTS (SELECT 1 FROM posts_hidden h WHERE h.post = p.entity) AS is_hidden
        """
}

/// Consecutive rows of a list.
struct PostPortion: Sendable {
    var rows: [Row]
    /// The cursor after everything that was considered, or nil at the end of the list. The last
    /// post that was considered need not belong to the list.
    var after: PostCursor?
    /// Whether so much was considered that the page ends here, however many rows there are.
    var endsPage = false

    /// The rows of a statement that reads at most `count`.
    init(_ rows: [Row], of query: PostQuery, count: Int) {
        self.rows = rows
        after = rows.count < count ? nil : rows.last.flatMap(query.cursor)
    }
}

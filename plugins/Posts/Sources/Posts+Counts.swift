internal import PluginKit
internal import PostsAPI

/// The counts of posts.
extension Posts {
    /// Returns the counts of posts; a post without any may be absent.
    ///
    /// People count, not records: anybody may write any number. Counting ends at `most`.
    func counts(
        of posts: [StoredPost], upTo most: Int = PostCommands.countedMax
    ) async throws -> [EntityID: PostCounts] {
        let asked = posts.map { _ in "(?, ?)" }.joined(separator: ", ")
        let values: [Value] = posts.flatMap { [.integer($0.space), .bytes($0.id.bytes)] }
        func rows(_ sql: String, _ more: [Value] = []) async throws -> [(EntityID, Row)] {
            try await context.replica.rows(
                "WITH asked (space, entity) AS (VALUES \(asked))\(sql)", values + more
            ).compactMap { row in row.entity("entity").map { ($0, row) } }
        }
        func number(_ column: String, _ row: Row) -> Int {
            Int(clamping: row.integer(column) ?? 0)
        }
        func others(_ row: Row) -> Int { number("people", row) - (row.isTrue("author") ? 1 : 0) }
        var counts: [EntityID: PostCounts] = [:]
        let me: [Value] = [.bytes(context.me.bytes)]
        for (post, row) in try await rows(Self.peopleSQL(Self.like, most), me) {
            counts[post, default: PostCounts()].likes = number("people", row)
            counts[post, default: PostCounts()].popularity.likers = others(row)
            counts[post, default: PostCounts()].isLiked = row.isTrue("mine")
        }
        for (post, row) in try await rows(Self.peopleSQL(Self.view, most), me) {
            counts[post, default: PostCounts()].views = number("people", row)
            counts[post, default: PostCounts()].popularity.viewers = others(row)
        }
        for (post, row) in try await rows(Self.commentsSQL(most)) {
            counts[post, default: PostCounts()].comments = number("comments", row)
            counts[post, default: PostCounts()].popularity.commenters = number("others", row)
        }
        return counts
    }

    /// The people with records of a collection about each post in `asked`, without those whom this
    /// person blocked. An index has the records of a post by person, so no record is read or
    /// sorted, and the limit of a neighbourhood's records is also one of the steps.
    private static func peopleSQL(_ collection: RecordCollection, _ most: Int) -> String {
        let ofPost = "FROM \(collection.table) m WHERE m.space = p.space AND m.post = p.entity"
        let isBlocked = "IN (SELECT person FROM \(SharedViews.blocked))"
        return """

            SELECT p.entity AS entity,
                (SELECT count(*) FROM (SELECT 1 \(ofPost) AND m.creator NOT \(isBlocked)
                    GROUP BY m.creator LIMIT \(most))) AS people,
                p.creator NOT \(isBlocked)
                    AND EXISTS (SELECT 1 \(ofPost) AND m.creator = p.creator) AS author,
                EXISTS (SELECT 1 \(ofPost) AND m.creator = ?) AS mine
            FROM asked a CROSS JOIN posts_post p ON p.space = a.space AND p.entity = a.entity
            """
    }

    /// The comments on each post in `asked` and their authors: of the first records about it,
    /// those that have a text and are not of people whom this person blocked.
    /// Counting the others ends when they make the post popular.
    private static func commentsSQL(_ most: Int) -> String {
        let counted = """
            FROM (SELECT o.creator AS creator, o.text IS NOT NULL AS has_text FROM posts_comment o
                WHERE o.space = p.space AND o.post = p.entity
                ORDER BY o.stamp, o.entity LIMIT \(most)) c
            WHERE c.has_text AND c.creator NOT IN (SELECT person FROM \(SharedViews.blocked))
            """
        return """

            SELECT p.entity AS entity, (SELECT count(*) \(counted)) AS comments,
                (SELECT count(*) FROM (SELECT DISTINCT c.creator \(counted)
                    AND c.creator <> p.creator LIMIT \(PostLimits.popularCountMin))) AS others
            FROM asked a CROSS JOIN posts_post p ON p.space = a.space AND p.entity = a.entity
            """
    }
}

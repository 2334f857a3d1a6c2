internal import PluginKit
internal import PostsAPI

/// The counts of posts.
extension Posts {
    /// Returns the counts of posts; a post without any may be absent.
    ///
    /// People count, not records: anybody may write any number. So the people are found by one
    /// step in the index each, however many records a person wrote, and counting ends at
    /// `most`.
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
        var counts: [EntityID: PostCounts] = [:]
        let me: [Value] = [.bytes(context.me.bytes)]
        for (post, row) in try await rows(Self.peopleSQL(Self.like, most), me) {
            counts[post, default: PostCounts()].likes = number("people", row)
            counts[post, default: PostCounts()].popularity.likers = number("others", row)
            counts[post, default: PostCounts()].isLiked = row.isTrue("mine")
        }
        for (post, row) in try await rows(Self.peopleSQL(Self.view, most), me) {
            counts[post, default: PostCounts()].views = number("people", row)
            counts[post, default: PostCounts()].popularity.viewers = number("others", row)
        }
        for (post, row) in try await rows(Self.commentsSQL(most)) {
            counts[post, default: PostCounts()].comments = number("comments", row)
            counts[post, default: PostCounts()].popularity.commenters = number("others", row)
        }
        return counts
    }

    /// The people with records of a collection about each post in `asked`, without those whom this
    /// person blocked. Each step reads the next person from the index.
    private static func peopleSQL(_ collection: RecordCollection, _ most: Int) -> String {
        func next(_ condition: String) -> String {
            """
            (SELECT min(m.creator) FROM \(collection.table) m
                WHERE m.space = a.space AND m.post = a.entity\(condition))
            """
        }
        return """
            , mark (space, entity, person, number) AS (
                SELECT a.space, a.entity, \(next("")), 1 FROM asked a
                UNION ALL
                SELECT a.space, a.entity, \(next(" AND m.creator > a.person")), a.number + 1
                FROM mark a
                WHERE a.person IS NOT NULL AND a.number < \(most))
            SELECT p.entity AS entity, count(*) AS people, sum(k.person <> p.creator) AS others,
                EXISTS (SELECT 1 FROM \(collection.table) m WHERE m.space = p.space
                    AND m.post = p.entity AND m.creator = ?) AS mine
            FROM mark k CROSS JOIN posts_post p ON p.space = k.space AND p.entity = k.entity
            WHERE k.person IS NOT NULL
                AND k.person NOT IN (SELECT person FROM \(SharedViews.blocked))
            GROUP BY p.space, p.entity
            """
    }

    /// The comments on each post in `asked` and their authors: of the first records about it,
    /// those that have a text and are not of people whom this person blocked.
    private static func commentsSQL(_ most: Int) -> String {
        """

        SELECT p.entity AS entity, count(*) AS comments,
            count(DISTINCT nullif(c.creator, p.creator)) AS others
        FROM asked a CROSS JOIN posts_post p ON p.space = a.space AND p.entity = a.entity
        CROSS JOIN posts_comment c ON c.space = p.space AND c.entity IN (
            SELECT o.entity FROM posts_comment o WHERE o.space = p.space AND o.post = p.entity
            ORDER BY o.stamp, o.entity LIMIT \(most))
        WHERE c.text IS NOT NULL AND c.creator NOT IN (SELECT person FROM \(SharedViews.blocked))
        GROUP BY p.space, p.entity
        """
    }
}

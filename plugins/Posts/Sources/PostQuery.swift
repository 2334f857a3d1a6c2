internal import PluginKit
internal import PostsAPI

/// A list of posts, and the SQL that reads a part of it.
///
/// Each list walks one index, so that 50 000 posts cost no more than a few: the newest an index
/// that begins with `stamp`, the nearest the R-Tree, and a search the full-text index. The newest
/// of an area walk the R-Tree if the area has few posts, and the index of time if it has many:
/// then some of the newest posts are in it.
struct PostQuery: Sendable {
    /// The index that the list walks.
    enum Walk: Hashable, Sendable {
        case newest
        case newestOfSmallArea
        case nearest
        case found(terms: String)
    }

    var walk: Walk
    /// The area, without which posts everywhere are listed.
    var area: Area?
    /// The location from which distances are measured.
    var centre: Point?
    /// The space, without which all joined neighbourhoods are listed.
    var space: Int64?
    var category: PostCategory?
    var author: PersonID?
    var after: PostCursor?

    /// Returns the next rows of the list, after a cursor.
    func rows(
        after cursor: PostCursor?, count: Int, _ replica: any ReplicaAccess
    ) async throws -> [Row] {
        var (conditions, values) = (["p.title IS NOT NULL"], [Value]())
        /// Returns the parameter of a value; the first three are the area.
        func parameter(_ value: Value) -> String {
            values.append(value)
            return "?\(values.count + 3)"
        }
        if let space { conditions.append("p.space = \(parameter(.integer(space)))") }
        if let category {
            conditions.append("p.category = \(parameter(.text(category.rawValue)))")
        }
        if let author { conditions.append("p.creator = \(parameter(.bytes(author.bytes)))") }
        switch cursor {
        case .newest(let stamp, let post):
            conditions.append(
                "(p.stamp, p.entity) < (\(parameter(.integer(stamp))), "
                    + "\(parameter(.bytes(post.bytes))))")
        case .nearest(_, let metres, let post):
            conditions.append(
                "(metres, p.entity) > (\(parameter(.real(metres))), "
                    + "\(parameter(.bytes(post.bytes))))")
        case .found(let number):
            conditions.append("posts_post_search.rowid < \(parameter(.integer(number)))")
        case .comment, nil: break
        }
        if case .found(let terms) = walk {
            conditions.append("posts_post_search MATCH waggle_terms(\(parameter(.text(terms))))")
        }
        if area != nil {
            conditions.append("metres <= ?3")
            if walk == .nearest || walk == .newestOfSmallArea {
                conditions.append("n.id MATCH waggle_area(?1, ?2, ?3)")
            }
        }
        let limit = parameter(.integer(Int64(count)))
        let sql = """
            SELECT \(walk.number) AS number, \(Self.columns),
                waggle_metres(p.latitude, p.longitude, ?1, ?2) AS metres
            FROM \(walk.source) WHERE \(conditions.joined(separator: " AND "))
            ORDER BY \(walk.order) LIMIT \(limit)
            """
        guard walk == .nearest, let area else {
            return try await replica.rows(sql, areaValues + values)
        }
        var beyond = 0.0
        if case .nearest(_, let metres, _) = cursor { beyond = metres }
        return try await replica.nearest(count, in: area, beyond: beyond, sql, values)
    }

    private var areaValues: [Value] {
        guard let centre = area?.centre ?? centre else { return [.null, .null, .null] }
        return [
            .real(centre.latitude), .real(centre.longitude),
            area.map { .real($0.radiusMetres) } ?? .null,
        ]
    }

    /// The columns of a post, and whether lists leave it out.
    static let columns = """
        p.*, p.creator IN (SELECT person FROM \(SharedViews.blocked)) AS is_blocked,
            EXISTS (SELECT 1 FROM posts_hidden h WHERE h.post = p.entity) AS is_hidden
        """

    /// Returns the cursor after a row; nil if the row has no place in the list.
    func cursor(after row: Row) -> PostCursor? {
        guard let post = row.entity("entity"), let stamp = row.integer("stamp") else {
            return nil
        }
        switch walk {
        case .newest, .newestOfSmallArea: return .newest(stamp: stamp, post: post)
        case .found: return row.integer("number").map { .found(number: $0) }
        case .nearest:
            guard let centre = area?.centre, let metres = row.real("metres") else { return nil }
            return .nearest(centre: centre, metres: metres, post: post)
        }
    }

    /// Whether an area has few posts, so that reading all of them costs little.
    static func isSmall(_ area: Area, _ replica: any ReplicaAccess) async throws -> Bool {
        let rows = try await replica.rows(
            """
            SELECT count(*) AS count FROM (SELECT 1 FROM posts_post_near
                WHERE id MATCH waggle_area(?1, ?2, ?3) LIMIT ?4)
            """,
            [
                .real(area.centre.latitude), .real(area.centre.longitude),
                .real(area.radiusMetres), .integer(Int64(PostLimits.areaCountMax) + 1),
            ])
        return (rows.first?.integer("count") ?? 0) <= Int64(PostLimits.areaCountMax)
    }
}

extension PostQuery.Walk {
    fileprivate var source: String {
        let post = "JOIN posts_post p ON p.space = f.space AND p.entity = f.entity"
        return switch self {
        case .newest: "posts_post p"
        case .newestOfSmallArea, .nearest:
            "posts_post_near n JOIN posts_post_found f ON f.id = n.id \(post)"
        case .found:
            "posts_post_search JOIN posts_post_found f ON f.id = posts_post_search.rowid \(post)"
        }
    }

    fileprivate var order: String {
        switch self {
        case .newest, .newestOfSmallArea: "p.stamp DESC, p.entity DESC"
        case .nearest: "metres, p.entity"
        case .found: "posts_post_search.rowid DESC"
        }
    }

    /// The number of a row in the index of a search.
    fileprivate var number: String {
        if case .found = self { "posts_post_search.rowid" } else { "NULL" }
    }
}

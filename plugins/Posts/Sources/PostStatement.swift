internal import PluginKit
internal import PostsAPI

/// The SQL that reads a part of a list.
///
/// The inner statement finds the posts and has a limit; the outer one reads them whole. So the text
/// of a post, and the record that hides it, are read only once the post belongs to the page.
struct PostStatement: Sendable {
    /// The tables in which the inner statement finds the posts.
    enum Source: Hashable, Sendable {
        /// An index of posts, which has everything that the conditions compare.
        case posts
        /// The R-Tree.
        case near
        /// The full-text index.
        case words
        /// The posts of one category, with their numbers in the full-text index.
        case category
    }

    let source: Source
    let order: PostQuery.Order
    /// The first two values are the location from which distances are measured.
    private(set) var values: [Value]
    private var conditions: [String] = []
    /// The distances that a post may have, if the list has an area. They are compared after the
    /// conditions, since they cost most.
    private var metres: (least: Double, most: Double)?
    /// A condition that is compared last.
    private var last: String?
    /// The words of which the statement says whether a post has them, in the column `is_found`.
    private var words: String?

    /// Begins a statement with the conditions of a list.
    init(_ query: PostQuery, from source: Source) {
        self.source = source
        order = query.order
        let centre = query.area?.centre ?? query.centre
        values = [
            centre.map { .real($0.latitude) } ?? .null, centre.map { .real($0.longitude) } ?? .null,
        ]
        metres = query.area.map { (0, $0.radiusMetres) }
        // Otherwise SQLite may read all posts of a neighbourhood instead of the category's.
        if source == .category { conditions.append("p.stamp >= 0") }
        if let space = query.space { require("p.space =", .integer(space)) }
        if let category = query.category { require("p.category =", .text(category.rawValue)) }
        if let author = query.author { require("p.creator =", .bytes(author.bytes)) }
    }

    /// Adds a condition that ends with a value.
    mutating func require(_ condition: String, _ value: Value, _ end: String = "") {
        conditions.append("\(condition) \(parameter(value))\(end)")
    }

    /// Requires that a post is after a cursor.
    mutating func require(after cursor: PostCursor?) {
        switch cursor {
        case .newest(let stamp, let post), .walked(let stamp, let post):
            conditions.append(older(stamp, post))
        case .nearest(_, let step, let stamp, let post):
            require(steps: step..<Int64.max)
            let next = parameter(.real(Self.leastMetres(ofStep: step + 1)))
            last = "(\(older(stamp, post)) OR \(Self.metresSQL) >= \(next))"
        case .found(let number): require("\(source.number) <", .integer(number))
        case .comment, nil: break
        }
    }

    private mutating func older(_ stamp: Int64, _ post: EntityID) -> String {
        "(p.stamp, p.entity) < (\(parameter(.integer(stamp))), \(parameter(.bytes(post.bytes))))"
    }

    /// Requires that a post is in the rectangles of an area. This is cheaper than computing
    /// distances, and excludes most posts elsewhere.
    mutating func require(in area: Area) {
        let rectangles = area.rectangles
        guard let first = rectangles.first else { return }
        let between = [first.south, first.north].map { parameter(.real($0)) }
        conditions.append("p.latitude BETWEEN \(between[0]) AND \(between[1])")
        // There are one or two; a statement has room for two, so that its text is the same.
        let sides = [first, rectangles.last ?? first].map { rectangle in
            let (west, east) = (parameter(.real(rectangle.west)), parameter(.real(rectangle.east)))
            return "p.longitude BETWEEN \(west) AND \(east)"
        }
        conditions.append("(\(sides.joined(separator: " OR ")))")
    }

    /// Requires that the R-Tree has a post within some metres, and perhaps beyond others.
    mutating func require(nearWithin metres: Double, beyond: Double = 0) {
        let (outer, inner) = (parameter(.real(metres)), parameter(.real(beyond)))
        conditions.append("n.id MATCH waggle_area(?1, ?2, \(outer), \(inner))")
    }

    /// Requires that a post is some steps away.
    mutating func require(steps: Range<Int64>) {
        let least = max(metres?.least ?? 0, Self.leastMetres(ofStep: steps.lowerBound))
        let most = Self.leastMetres(ofStep: steps.upperBound).nextDown
        metres = (least, min(metres?.most ?? .infinity, most))
    }

    /// Returns the least distance of a step. Dividing by the length of a step rounds, so this may
    /// be a little less than the length of all steps before.
    private static func leastMetres(ofStep step: Int64) -> Double {
        guard step > 0 else { return 0 }
        var metres = Double(step) * PostLimits.stepMetres
        while metres.nextDown / PostLimits.stepMetres >= Double(step) { metres = metres.nextDown }
        return metres
    }

    /// Requires that the text of a post has all words. Only for few posts: each text is read.
    mutating func requireText(with words: String) {
        conditions.append(finds(words))
    }

    /// Adds a column that says whether the text of a post has all words.
    mutating func compareText(with words: String) { self.words = words }

    private mutating func finds(_ words: String) -> String {
        "waggle_finds(\(parameter(.text(words))), "
            + "coalesce(p.title, '') || ' ' || coalesce(p.text, ''))"
    }

    /// Returns the rows of the statement, at most `count`.
    func rows(_ count: Int, _ replica: any ReplicaAccess) async throws -> [Row] {
        var whole = self
        let sql = whole.sql(count)
        return try await replica.rows(sql, whole.values)
    }

    /// Returns the text, and adds its last parameters.
    private mutating func sql(_ count: Int) -> String {
        var all = conditions
        if let (least, most) = metres {
            let (first, end) = (parameter(.real(least)), parameter(.real(most)))
            // SQLite computes the distance once for both comparisons.
            all.append("\(Self.metresSQL) BETWEEN \(first) AND \(end)")
        }
        if let last { all.append(last) }
        let condition = all.isEmpty ? "1" : all.joined(separator: " AND ")
        let limit = parameter(.integer(Int64(count)))
        var more = ""
        if let words { more = ", \(finds(words)) AS is_found" }
        let (inner, outer) = Self.orders(order, source)
        return """
            SELECT \(PostQuery.columns), l.found AS found, l.metres AS metres,
                l.step AS step\(more)
            FROM (SELECT \(source.number) AS found, p.space AS space, p.entity AS entity,
                    p.stamp AS stamp, \(Self.metresSQL) AS metres, \(Self.step) AS step
                FROM \(source.tables) WHERE \(condition)
                ORDER BY \(inner) LIMIT \(limit)) l
            CROSS JOIN posts_post p ON p.space = l.space AND p.entity = l.entity
            ORDER BY \(outer)
            """
    }

    /// Returns the orders of the inner and the outer statement.
    private static func orders(
        _ order: PostQuery.Order, _ source: Source
    ) -> (inner: String, outer: String) {
        switch order {
        case .newest: ("p.stamp DESC, p.entity DESC", "l.stamp DESC, l.entity DESC")
        case .nearest:
            (
                "\(step), p.stamp DESC, p.entity DESC",
                "l.step, l.stamp DESC, l.entity DESC"
            )
        case .found: ("\(source.number) DESC", "l.found DESC")
        }
    }

    private mutating func parameter(_ value: Value) -> String {
        values.append(value)
        return "?\(values.count)"
    }

    private static let metresSQL = "waggle_metres(p.latitude, p.longitude, ?1, ?2)"
    private static let step = "CAST(\(metresSQL) / \(PostLimits.stepMetres) AS INTEGER)"
}

extension PostStatement.Source {
    fileprivate var tables: String {
        let post = "CROSS JOIN posts_post p ON p.space = f.space AND p.entity = f.entity"
        return switch self {
        case .posts: "posts_post p"
        case .near: "posts_post_near n CROSS JOIN posts_post_found f ON f.id = n.id \(post)"
        case .words:
            "posts_post_search CROSS JOIN posts_post_found f ON f.id = posts_post_search.rowid "
                + post
        case .category:
            "posts_post p CROSS JOIN posts_post_found f ON f.space = p.space "
                + "AND f.entity = p.entity"
        }
    }

    /// The number of a post in the full-text index.
    fileprivate var number: String {
        switch self {
        case .posts: "NULL"
        case .near, .category: "f.id"
        case .words: "posts_post_search.rowid"
        }
    }
}

internal import PluginKit
internal import PostsAPI

/// The way in which a page of a list is read, chosen by counts that end early.
///
/// | list | read from |
/// |---|---|
/// | newest | an index by time, which also has the locations |
/// | newest of an area with few posts | R-Tree, sorted |
/// | nearest | R-Tree, in rings that have few posts each; see ``NearestPosts`` |
/// | nearest of a category that is not frequent | the index of the category, sorted |
/// | search | full-text index |
/// | search for a frequent word in an area or category with very few posts | their texts |
/// | search for a very frequent word in another area or category | their texts, by time |
/// | search for another frequent word there | full-text index, a part of it |
struct PostReading: Sendable {
    private enum Way: Sendable {
        case time
        case area(Area)
        case nearest(NearestPosts)
        /// A full-text search; `end` is the last number that this page compares.
        case words(String, end: Int64?)
        case texts(String, of: PostStatement.Source)
        /// The newest posts of the list without its words, whose texts are compared.
        case walk(String)
    }

    private let query: PostQuery
    private let way: Way

    /// Chooses the way for a page.
    init(of query: PostQuery, _ replica: any ReplicaAccess) async throws {
        self.query = query
        switch query.order {
        case .newest:
            guard let area = query.area,
                try await PostCount.near(area, replica, upTo: query.bounds.sorted)
            else {
                way = .time
                return
            }
            way = .area(area)
        case .nearest:
            guard let area = query.area else { preconditionFailure("the nearest have an area") }
            way = .nearest(try await NearestPosts(query, area, replica))
        case .found(let words): way = try await Self.search(words, query, replica)
        }
    }

    private static func search(
        _ words: String, _ query: PostQuery, _ replica: any ReplicaAccess
    ) async throws -> Way {
        guard query.area != nil || query.category != nil || query.space != nil else {
            return .words(words, end: nil)
        }
        // The next pages of a search go on in the order of the first one.
        if case .walked = query.after { return .walk(words) }
        // If few posts have the words, all of them are compared.
        guard
            let end = try await PostCount.end(
                of: words, after: query.after, replica, upTo: query.bounds.compared)
        else { return .words(words, end: nil) }
        let few = query.bounds.texts
        if let area = query.area, try await PostCount.near(area, replica, upTo: few) {
            return .texts(words, of: .near)
        }
        if try await PostCount.category(of: query, replica, upTo: few) {
            return .texts(words, of: .category)
        }
        if query.after == nil,
            try await PostCount.end(of: words, replica, upTo: query.bounds.frequent) != nil
        {
            return .walk(words)
        }
        return .words(words, end: end)
    }

    /// Returns the next rows of the list after a cursor.
    func portion(
        after cursor: PostCursor?, count: Int, _ replica: any ReplicaAccess
    ) async throws -> PostPortion {
        var statement: PostStatement
        var end: Int64?
        switch way {
        case .nearest(let nearest):
            return PostPortion(
                try await nearest.rows(after: cursor, count: count, replica), of: query,
                count: count)
        case .time:
            statement = PostStatement(query, from: .posts)
            if let area = query.area { statement.require(in: area) }
        case .walk(let words): return try await walk(words, after: cursor, count: count, replica)
        case .area(let area):
            statement = PostStatement(query, from: .near)
            statement.require(nearWithin: area.radiusMetres)
        case .words(let words, let last):
            statement = PostStatement(query, from: .words)
            statement.require("posts_post_search MATCH waggle_terms(", .text(words), ")")
            if let last { statement.require("posts_post_search.rowid >=", .integer(last)) }
            end = last
        case .texts(let words, let source):
            statement = PostStatement(query, from: source)
            if source == .near, let area = query.area {
                statement.require(nearWithin: area.radiusMetres)
            }
            statement.requireText(with: words)
        }
        statement.require(after: cursor)
        var portion = PostPortion(
            try await statement.rows(count, replica), of: query, count: count)
        if portion.after == nil, let end {
            portion.after = .found(number: end)
            portion.endsPage = true
        }
        return portion
    }

    /// Returns those of the next newest posts whose texts have all words.
    private func walk(
        _ words: String, after cursor: PostCursor?, count: Int, _ replica: any ReplicaAccess
    ) async throws -> PostPortion {
        var list = query
        list.order = .newest
        var statement = PostStatement(list, from: .posts)
        if let area = query.area { statement.require(in: area) }
        statement.require(after: cursor)
        statement.compareText(with: words)
        var portion = PostPortion(
            try await statement.rows(count, replica), of: query, count: count)
        portion.rows.removeAll { !$0.isTrue("is_found") }
        return portion
    }
}

/// Counts that end at a number, so that they cost little however many posts there are.
enum PostCount {
    /// Whether the R-Tree has at most `count` posts in an area, beyond some metres.
    static func near(
        _ area: Area, beyond metres: Double = 0, _ replica: any ReplicaAccess, upTo count: Int
    ) async throws -> Bool {
        try await isUpTo(
            count, "SELECT 1 FROM posts_post_near WHERE id MATCH waggle_area(?1, ?2, ?3, ?4)",
            [
                .real(area.centre.latitude), .real(area.centre.longitude),
                .real(area.radiusMetres), .real(metres),
            ], replica)
    }

    /// Whether the category of a list has at most `count` posts; false if the list has none.
    static func category(
        of query: PostQuery, _ replica: any ReplicaAccess, upTo count: Int
    ) async throws -> Bool {
        guard let category = query.category else { return false }
        let space = query.space.map { ("AND space = ?2", [Value.integer($0)]) } ?? ("", [])
        return try await isUpTo(
            count, "SELECT 1 FROM posts_post WHERE category = ?1 \(space.0)",
            [.text(category.rawValue)] + space.1, replica)
    }

    /// Returns the number at which a page ends that compares `count` posts with some words; nil if
    /// there are not so many.
    static func end(
        of words: String, after cursor: PostCursor? = nil, _ replica: any ReplicaAccess,
        upTo most: Int
    ) async throws -> Int64? {
        var number = Int64.max
        if case .found(let last) = cursor { number = last }
        let rows = try await replica.rows(
            """
            SELECT count(*) AS count, min(id) AS last FROM (
                SELECT rowid AS id FROM posts_post_search
                WHERE posts_post_search MATCH waggle_terms(?1) AND rowid < ?2
                ORDER BY rowid DESC LIMIT ?3)
            """, [.text(words), .integer(number), .integer(Int64(most))])
        guard let row = rows.first, let count = row.integer("count"),
            count >= Int64(most)
        else { return nil }
        return row.integer("last")
    }

    private static func isUpTo(
        _ count: Int, _ sql: String, _ values: [Value], _ replica: any ReplicaAccess
    ) async throws -> Bool {
        let rows = try await replica.rows(
            "SELECT count(*) AS count FROM (\(sql) LIMIT ?\(values.count + 1))",
            values + [.integer(Int64(count) + 1)])
        return (rows.first?.integer("count") ?? 0) <= Int64(count)
    }
}

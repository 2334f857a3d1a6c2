import Identity
import PluginKit
import PostsAPI
import Records
import TestSupport
import Testing

@testable import Posts

/// The statements that lists of posts run use the indexes of posts: none reads rows of posts one
/// after the other, and none sorts more than a page or a bounded number of them.
struct PostPlanTests {
    /// A list, and the statements that may sort a bounded number of posts, by a text in them.
    struct Case {
        let name: String
        let query: PostQuery
        var sorted: [String] = []
    }

    /// The R-Tree and the texts are used for few posts only.
    private static let few = ["posts_post_near n", "waggle_finds"]

    static func cases(in space: Int64) throws -> [Case] {
        let middle = try Point(latitude: 37.5, longitude: 127)
        let area = Area(around: middle, radiusMetres: 700)
        let anywhere = Area(around: middle, radiusMetres: PostLimits.radiusMetresMax)
        var found: [Case] = []
        let entity = try #require(EntityID(bytes: [UInt8](repeating: 9, count: 16)))
        for space in [nil, space] {
            for category in [nil, PostCategory.walk] {
                func add(
                    _ order: PostQuery.Order, _ area: Area?, _ after: PostCursor? = nil,
                    _ bounds: PostBounds = PostBounds(), sorted: [String] = few
                ) {
                    found.append(
                        Case(
                            name: "\(order) \(area != nil) \(bounds)",
                            query: PostQuery(
                                order: order, area: area, centre: middle, space: space,
                                category: category, after: after, bounds: bounds),
                            sorted: sorted))
                }
                let none = PostBounds(sorted: -1, category: -1, texts: -1, compared: 1)
                var walked = none
                walked.frequent = 1
                let cursor = PostCursor.newest(stamp: .max, post: entity)
                for after in [nil, cursor] {
                    add(.newest, nil, after)
                    add(.newest, area, after)
                    add(.newest, area, after, none, sorted: [])
                }
                let near = PostCursor.nearest(centre: middle, step: 3, stamp: .max, post: entity)
                for after in [nil, near] {
                    add(.nearest, anywhere, after, sorted: few + ["ORDER BY CAST"])
                    add(.nearest, area, after, PostBounds(category: -1))
                    // A single step is walked by time, and the rest is sorted without its rows.
                    add(.nearest, area, after, none, sorted: ["ORDER BY CAST"])
                }
                for after in [nil, PostCursor.walked(stamp: .max, post: entity)] {
                    add(.found(words: "vet"), area, after, walked, sorted: [])
                }
                for after in [nil, PostCursor.found(number: .max)] {
                    for place in [nil, area] {
                        add(.found(words: "vet"), place, after)
                        add(.found(words: "vet"), place, after, PostBounds(compared: 1))
                        add(.found(words: "vet"), place, after, none, sorted: [])
                    }
                }
            }
        }
        let person = try #require(PersonID(bytes: [UInt8](repeating: 9, count: 32)))
        found.append(Case(name: "mine", query: PostQuery(order: .newest, author: person)))
        return found
    }

    @Test func `each statement of a list is answered by indexes`() async throws {
        let town = try await ListedTown()
        try await town.write([.init(place: ListedTown.middle), .init(text: "vet")])
        var seen: Set<String> = []
        for each in try Self.cases(in: try #require(try await town.spaces().first)) {
            _ = town.access.drain()
            let reading = try await PostReading(of: each.query, town.access)
            _ = try await reading.portion(after: each.query.after, count: 40, town.access)
            for read in town.access.drain() where seen.insert(read.sql).inserted {
                let isBounded = each.sorted.contains { read.sql.contains($0) }
                let plan = try await town.plan(of: read)
                #expect(Self.faults(plan, isBounded: isBounded) == [], "\(each.name)\n\(read.sql)")
            }
        }
        #expect(seen.count > 40)
        try await town.end()
    }

    /// Returns the steps of a plan that cost more the more posts there are.
    /// - Parameter isBounded: whether the statement is for a bounded number of posts, which it may
    ///   sort and read whole.
    private static func faults(_ plan: [String], isBounded: Bool) -> [String] {
        // Sorting the rows of a page again, after they were read whole, is the last step of all.
        // The view of the people whom I blocked has each once (DISTINCT).
        let sorts = plan.filter {
            $0.hasPrefix("USE TEMP B-TREE") && !$0.hasSuffix("FOR DISTINCT")
        }
        let ofPage = plan.last.map(sorts.contains) == true ? 1 : 0
        let reads = plan.filter { step in
            // F is an R-Tree's MATCH with a function, M that of FTS5.
            guard !step.contains(/VIRTUAL TABLE INDEX \d+:[FM]/), !step.hasPrefix("USE TEMP") else {
                return false
            }
            // The posts by their names in the statements.
            guard step.contains(/^(SCAN|SEARCH) (p|n|f|h|posts_\w*)( |$)/) else { return false }
            return
                !(step.contains(/^(SCAN p|SEARCH \w+) USING COVERING INDEX/)
                || step.hasSuffix("PRIMARY KEY (space=? AND entity=?)")
                || step.hasSuffix("(rowid=?)")
                || isBounded && step.hasPrefix("SEARCH ") && !step.hasSuffix("KEY (space=?)"))
        }
        return reads + (sorts.count > ofPage && !isBounded ? sorts : [])
    }

    @Test func `the newest of a category in a neighbourhood are walked by an index of both`()
        async throws
    {
        let town = try await ListedTown()
        let query = PostQuery(
            order: .newest, space: try await town.spaces().first, category: .walk)
        let reading = try await PostReading(of: query, town.access)
        _ = try await reading.portion(after: nil, count: 40, town.access)
        let plan = try await town.plan(of: try #require(town.access.drain().last))
        #expect(plan.contains { $0.hasSuffix("(space=? AND category=?)") }, "\(plan)")
        try await town.end()
    }

    @Test func `a statement that reads all posts is refused, and one that sorts them`() async throws
    {
        let town = try await ListedTown()
        for sql in [
            "SELECT * FROM posts_post p WHERE p.text = 'a'",
            "SELECT * FROM posts_post p WHERE p.latitude > 3 ORDER BY p.text LIMIT 20",
            "SELECT title FROM posts_post p ORDER BY p.stamp DESC, p.entity DESC LIMIT 20",
            "SELECT title FROM posts_post p WHERE p.space = 1 ORDER BY p.text LIMIT 20",
            "SELECT f.id FROM posts_post_found f WHERE f.entity > x'00'",
            "SELECT 1 FROM posts_hidden h WHERE h.reason = 'a'",
        ] {
            let plan = try await town.plan(of: .init(sql: sql))
            #expect(!Self.faults(plan, isBounded: false).isEmpty, "\(plan)")
        }
        let sorted = try await town.plan(
            of: .init(
                sql: """
                    SELECT * FROM (SELECT p.entity FROM posts_post p WHERE p.stamp > 3
                        ORDER BY p.latitude LIMIT 40) l ORDER BY l.entity
                    """))
        #expect(!Self.faults(sorted, isBounded: false).isEmpty, "\(sorted)")
        #expect(Self.faults(sorted, isBounded: true).isEmpty, "\(sorted)")
        try await town.end()
    }
}

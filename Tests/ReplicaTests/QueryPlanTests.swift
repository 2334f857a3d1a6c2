import GRDB
import Identity
import Records
import Testing

@testable import Replica

/// The queries for pages of a large collection use its indexes: none reads the whole table.
struct QueryPlanTests {
    private let homes = Homes()

    /// A collection like that of posts.
    private static let advert = RecordCollection(
        "test.advert/1", table: "advert", spaces: [.own],
        indexes: [
            ["stamp", "creator", "entity"], ["category", "stamp", "creator", "entity"],
            ["space", "category", "stamp", "entity"],
        ],
        searched: ["title", "text"],
        located: .init(latitude: "latitude", longitude: "longitude"),
        fields: [
            .init(1, "category", .integer(0...4)), .init(2, "title", .text(bytesMax: 200)),
            .init(3, "text", .text(bytesMax: 4000)), .init(4, "latitude", .real),
            .init(5, "longitude", .real),
        ])

    private static let nearby = """
        SELECT a.*, waggle_metres(a.latitude, a.longitude, 37.5, 127) AS metres
        FROM advert_near n JOIN advert_found f ON f.id = n.id
        JOIN advert a ON a.space = f.space AND a.entity = f.entity
        WHERE n.id MATCH waggle_area(37.5, 127, 700) AND metres <= 700
        """
    private static let found = """
        SELECT a.* FROM advert_search
        JOIN advert_found f ON f.id = advert_search.rowid
        JOIN advert a ON a.space = f.space AND a.entity = f.entity
        WHERE advert_search MATCH waggle_terms('walk')
        """

    /// The queries, and whether each must find its rows in their order, without sorting them.
    static let queries: [(sql: String, isInOrder: Bool)] = [
        ("\(nearby) ORDER BY metres, a.entity LIMIT 20", false),
        ("\(nearby) AND a.category = 2 ORDER BY metres, a.entity LIMIT 20", false),
        ("\(nearby) ORDER BY n.id DESC LIMIT 20", false),
        ("\(found) ORDER BY advert_search.rowid DESC LIMIT 20", true),
        (
            """
            \(found) AND a.category = 2
                AND waggle_metres(a.latitude, a.longitude, 37.5, 127) <= 700
            ORDER BY advert_search.rowid DESC LIMIT 20
            """, true
        ),
        (
            """
            SELECT * FROM advert WHERE (stamp, creator, entity) < (9, x'00', x'00')
            ORDER BY stamp DESC, creator DESC, entity DESC LIMIT 20
            """, true
        ),
        (
            """
            SELECT * FROM advert WHERE (stamp, creator, entity) < (9, x'00', x'00')
                AND waggle_metres(latitude, longitude, 37.5, 127) <= 20000
            ORDER BY stamp DESC, creator DESC, entity DESC LIMIT 20
            """, true
        ),
        (
            """
            SELECT * FROM advert
            WHERE category = 2 AND (stamp, creator, entity) < (9, x'00', x'00')
            ORDER BY stamp DESC, creator DESC, entity DESC LIMIT 20
            """, true
        ),
        (
            """
            SELECT * FROM advert
            WHERE space = 1 AND category = 2 AND (stamp, entity) < (9, x'00')
            ORDER BY stamp DESC, entity DESC LIMIT 20
            """, true
        ),
    ]

    @Test(arguments: queries.indices)
    func `a page is found by an index`(index: Int) async throws {
        let someone = try Someone(seed: 1)
        let replica = try await homes.make().replica(
            of: someone.key, knowing: [someone], in: [.own(someone.person)],
            collections: [Self.advert])
        let (sql, isInOrder) = Self.queries[index]
        let plan = try await replica.pool.read { database in
            try GRDB.Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN \(sql)")
                .map { $0["detail"] as String }
        }
        #expect(plan.count >= 1)
        for step in plan {
            // F is an R-Tree's MATCH with a function, M that of FTS5.
            let isSearch =
                step.hasPrefix("SEARCH ") || step.contains(/VIRTUAL TABLE INDEX \d+:[FM]/)
                || step.hasPrefix("USE TEMP B-TREE FOR")
            #expect(isSearch, "\(plan)")
        }
        #expect(!isInOrder || !plan.contains { $0.hasPrefix("USE TEMP B-TREE") }, "\(plan)")
        // The judgement has an example of what it refuses.
        let whole = try await replica.pool.read { database in
            try GRDB.Row.fetchAll(
                database, sql: "EXPLAIN QUERY PLAN SELECT * FROM advert WHERE latitude > 3"
            ).map { $0["detail"] as String }
        }
        #expect(whole == ["SCAN advert"])
    }
}

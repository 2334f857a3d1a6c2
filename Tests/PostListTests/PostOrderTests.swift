import Identity
import Location
import PluginKit
import PostsAPI
import Records
import TestSupport
import Testing

@testable import Posts

/// Lists of posts have the same posts in the same order as a comparison of all posts, whichever way
/// they are read.
struct PostOrderTests {
    /// Bounds so small that each way of reading is chosen for some dozens of posts.
    private static let bounds: [PostBounds] = [
        PostBounds(),
        PostBounds(sorted: 5, category: 0, fullSteps: 1, texts: 3, compared: 7, frequent: 9),
        PostBounds(sorted: 0, category: 0, fullSteps: 100, texts: 0, compared: 1, frequent: 1),
        PostBounds(sorted: 20, category: 30, fullSteps: 0, texts: 200, compared: 2),
    ]

    /// The degrees of a metre to the north.
    private static let metre = 1 / 111_195.0

    /// Draws posts: many at a few points, some of them 9.9, 10 and 10.1 m apart; some anywhere,
    /// and some without a location or without a title.
    private static func drafts(
        _ count: Int, _ generator: inout SeededGenerator
    ) -> [ListedTown.Draft] {
        (0..<count).map { number in
            var draft = ListedTown.Draft()
            draft.category =
                ["walk", "question", "sitter", "none of these"][
                    [0, 0, 0, 0, 1, 1, 1, 2, 3].randomElement(using: &generator) ?? 0]
            draft.title = Int.random(in: 0..<9, using: &generator) == 0 ? nil : "post \(number)"
            draft.text =
                ["a vet", "a lake", "the vet at the lake", "nothing"]
                .randomElement(using: &generator) ?? ""
            draft.isElsewhere = Int.random(in: 0..<5, using: &generator) == 0
            let north = [0, 9.9, 10, 10.1, 35, 35, 35, 2000, 500_000].randomElement(
                using: &generator)
            let east = Int.random(in: 0..<3, using: &generator) == 0 ? 0.002 : 0
            draft.place =
                Int.random(in: 0..<9, using: &generator) == 0
                ? nil
                : (
                    ListedTown.middle.latitude + (north ?? 0) * metre,
                    ListedTown.middle.longitude + east
                )
            return draft
        }
    }

    /// Draws a list.
    private static func query(
        _ spaces: [Int64], _ generator: inout SeededGenerator
    ) throws -> PostQuery {
        let centre = try Point(
            latitude: ListedTown.middle.latitude
                + Double.random(in: 0...40, using: &generator) * metre,
            longitude: ListedTown.middle.longitude)
        let radius = [12.0, 36, 700, 3000, PostLimits.radiusMetresMax].randomElement(
            using: &generator)
        let area = Area(around: centre, radiusMetres: radius ?? 0)
        let words = ["vet", "the lake", "nothing", "nowhere", "e"].randomElement(using: &generator)
        let order: PostQuery.Order =
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: .newest
            case 1: .nearest
            default: .found(words: words ?? "")
            }
        return PostQuery(
            order: order,
            area: order == .nearest || Bool.random(using: &generator) ? area : nil,
            centre: centre,
            space: Bool.random(using: &generator)
                ? spaces.randomElement(using: &generator) : nil,
            category: Bool.random(using: &generator)
                ? PostCategory.allCases.randomElement(using: &generator) : nil,
            bounds: bounds.randomElement(using: &generator) ?? PostBounds())
    }

    /// Returns the posts of a list page by page, as the command reads them.
    private static func pages(
        of query: PostQuery, count: Int, _ replica: any ReplicaAccess
    ) async throws -> [EntityID] {
        var (query, found) = (query, [EntityID]())
        for _ in 0..<1000 {
            let reading = try await PostReading(of: query, replica)
            // A page reads several portions in one way, unless a search ends it.
            for count in [count, count + 2, count] {
                let portion = try await reading.portion(after: query.after, count: count, replica)
                found += portion.rows.compactMap { $0.entity("entity") }
                guard let after = portion.after else { return found }
                // The text is what a person passes on.
                let next = PostCursor(after.text)
                #expect(next == after)
                query.after = next
                if portion.endsPage { break }
            }
        }
        Issue.record("the pages have no end")
        return found
    }

    /// Returns the posts of a list by comparing all of them.
    private static func compared(_ query: PostQuery, _ all: [Row]) -> [EntityID] {
        let found = all.filter { row in
            let metres = row.point.map { query.centre?.distanceMetres(to: $0) ?? 0 }
            if let area = query.area, !(metres.map { $0 <= area.radiusMetres } ?? false) {
                return false
            }
            if let space = query.space, row.integer("space") != space { return false }
            if let category = query.category, row.text("category") != category.rawValue {
                return false
            }
            guard case .found(let words) = query.order else { return true }
            let text = (row.text("title") ?? "") + " " + (row.text("text") ?? "")
            return words.split(separator: " ").allSatisfy { text.contains($0) }
        }
        func key(_ row: Row) -> [Int64] {
            let newest = [-(row.integer("stamp") ?? 0)]
            guard query.order == .nearest, let centre = query.area?.centre, let point = row.point
            else { return newest }
            return [Int64(centre.distanceMetres(to: point) / PostLimits.stepMetres)] + newest
        }
        return found.sorted { key($0).lexicographicallyPrecedes(key($1)) }
            .compactMap { $0.entity("entity") }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `each list is that of a comparison of all posts`(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let town = try await ListedTown()
        try await town.write(Self.drafts(150, &generator))
        let spaces = try await town.spaces()
        let all = try await town.access.rows("SELECT * FROM posts_post")
        #expect(all.count == 150 && spaces.count == 2)
        var longest = 0
        for number in 0..<250 {
            let query = try Self.query(spaces, &generator)
            let count = [1, 3, 40].randomElement(using: &generator) ?? 1
            let found = try await Self.pages(of: query, count: count, town.access)
            #expect(found == Self.compared(query, all), "\(number): \(query)")
            longest = max(longest, found.count)
        }
        #expect(longest > 100)
        try await town.end()
    }
}

import Features
import FeaturesAPI
import PluginKit
import PostsAPI
import Records
import TestSupport
import Testing

@testable import Posts

/// Lists of posts, page by page.
@Suite struct PostPageTests {
    /// Creates a person who has posts of others: `north` tells how far each is from the middle.
    private func reader(
        _ network: TestNetwork, _ posts: Int, category: (Int) -> PostCategory = { _ in .free },
        north: (Int) -> Double? = { _ in nil }, postsPerSecond: Int = 3
    ) async throws -> (reader: TestHost, writers: [TestHost]) {
        let people = try await network.town("Ann", "Ben", "Cem", "Dan", "Eva")
        let writers = Array(people[1...])
        for number in 0..<posts {
            try await writers[number % writers.count].write(
                "post \(number)", "words \(number % 2 == 0 ? "even" : "odd")",
                category: category(number),
                at: north(number).map { (middle.latitude + $0 / 111_195, middle.longitude) },
                precision: .exact)
            // Posts of the same millisecond are in any order.
            if number % postsPerSecond == 0 { try await network.skip(seconds: 1) }
        }
        try await network.settle()
        return (people[0], writers)
    }

    @Test func `pages of the newest have each post once while others arrive and go`() async throws {
        try await TestNetwork.with { network in
            let (ann, writers) = try await reader(network, 50)
            let first = try await ann.call(PostCommands.list, .init())
            #expect(first.posts.count == 20 && first.after != nil)
            let all = try await ann.rows("SELECT entity FROM posts_post").count
            #expect(all == 50)
            var number = 0
            let pages = try await ann.pages(ListPosts()) {
                number += 1
                try await writers[number % 4].write("newer \(number)")
                try await network.settle()
            }
            #expect(pages.map(\.posts.count) == [20, 20, 10])
            let found = pages.flatMap(\.posts)
            #expect(Set(found.map(\.id)).count == 50)
            #expect(found.allSatisfy { $0.title.string.hasPrefix("post") })
            let times = found.map(\.atMs)
            #expect(times == times.sorted(by: >))
        }
    }

    @Test func `pages of the nearest measure from where the first one did`() async throws {
        try await TestNetwork.with { network in
            let (ann, _) = try await reader(
                network, 45, north: { Double($0 * 37 % 45) * 30 })
            ann.locate(
                Fix(point: try Point(latitude: middle.latitude, longitude: middle.longitude)))
            try await network.settle()
            let pages = try await ann.pages(.init(order: .nearest)) {
                ann.locate(Fix(point: try Point(latitude: 0, longitude: 0)))
                try await network.settle()
            }
            #expect(pages.map(\.posts.count) == [20, 20, 5])
            let found = pages.flatMap(\.posts)
            let metres = try found.map { try #require($0.distanceMetres).value }
            #expect(metres == metres.sorted() && Set(found.map(\.id)).count == 45)
            #expect(metres.first.map { $0 < 1 } == true && metres.last.map { $0 > 1300 } == true)
        }
    }

    @Test func `an area has the posts within it and no other, in both orders`() async throws {
        try await TestNetwork.with { network in
            let (ann, writers) = try await reader(
                network, 30, north: { Double($0) * 50 })
            try await writers[0].write("without a location")
            try await network.settle()
            let wanted = Set((0...14).map { "post \($0)" })
            for order in PostOrder.allCases {
                let titles = try await ann.pages(
                    .init(
                        order: order, latitude: Latitude(middle.latitude),
                        longitude: Longitude(middle.longitude), radiusMetres: DistanceMetres(720))
                ).flatMap(\.posts).map(\.title.string)
                #expect(Set(titles) == wanted && titles.count == 15)
                #expect(titles.first == (order == .newest ? "post 14" : "post 0"))
            }
            // The walk by time finds the same as the one over the R-Tree.
            let plugin = try #require(ann.plugin(Posts.self))
            let area = try #require(
                Area(
                    around: try Point(latitude: middle.latitude, longitude: middle.longitude),
                    radiusMetres: 720))
            let replica = await plugin.context.replica
            for sorted in [0, 1000] {
                let query = PostQuery(
                    order: .newest, area: area, bounds: PostBounds(sorted: sorted))
                let portion = try await PostReading(of: query, replica).portion(
                    after: nil, count: 40, replica)
                #expect(Set(portion.rows.compactMap { $0.text("title") }) == wanted)
            }
        }
    }

    @Test func `an empty page of a search says whether another may follow`() {
        var search = PostQuery(order: .found(words: "sofa"))
        let none: Sentence = "No post has these words."
        #expect(
            Posts.sentence(onEmpty: search, true, ifEmpty: none)
                == "No match so far; the next page may have one.")
        #expect(Posts.sentence(onEmpty: search, false, ifEmpty: none) == none)
        search.after = .found(number: 3)
        #expect(
            Posts.sentence(onEmpty: search, false, ifEmpty: none) == "There are no more posts.")
        let list = PostQuery(order: .newest)
        #expect(Posts.sentence(onEmpty: list, true, ifEmpty: none) == nil)
    }

    @Test func `a category lists its posts alone, also within an area`() async throws {
        try await TestNetwork.with { network in
            let (ann, _) = try await reader(
                network, 30, category: { $0 % 3 == 0 ? .sitter : .question },
                north: { Double($0) * 50 })
            let pages = try await ann.pages(.init(category: .sitter))
            #expect(pages.flatMap(\.posts).count == 10)
            #expect(pages.flatMap(\.posts).allSatisfy { $0.category == .sitter })
            let near = try await ann.titles(
                .init(
                    category: .sitter, order: .nearest, latitude: Latitude(middle.latitude),
                    longitude: Longitude(middle.longitude), radiusMetres: DistanceMetres(400)))
            #expect(near == ["post 0", "post 3", "post 6"])
        }
    }

    @Test func `a search has all words, the newest first, page by page`() async throws {
        try await TestNetwork.with { network in
            let (ann, writers) = try await reader(network, 50, postsPerSecond: 1)
            try await writers[0].write("같이산책하자", "내일 아침")
            try await network.settle()
            var request = SearchPosts(text: try Text("word even"))
            let first = try await ann.call(PostCommands.search, request)
            #expect(first.posts.count == 20 && first.posts.first?.title == "post 48")
            request.after = first.after
            let second = try await ann.call(PostCommands.search, request)
            #expect(second.posts.count == 5 && second.after == nil)
            #expect(second.posts.last?.title == "post 0")
            let korean = try await ann.call(PostCommands.search, .init(text: try Text("산책")))
            #expect(korean.posts.map(\.title.string) == ["같이산책하자"])
            let none = try await ann.call(PostCommands.search, .init(text: try Text("nowhere")))
            #expect(none.posts.isEmpty && none.note != nil)
        }
    }

    @Test func `a search that compares the newest posts goes on after a post`() async throws {
        try await TestNetwork.with { network in
            let (ann, _) = try await reader(network, 50, postsPerSecond: 1)
            let list = try #require(try await ann.call(PostCommands.list, .init()).after)
            let cursor = try Cursor("w" + list.string.dropFirst())
            let found = try await ann.call(
                PostCommands.search,
                .init(text: try Text("even"), category: .free, after: cursor))
            let titles = stride(from: 28, through: 0, by: -2).map { "post \($0)" }
            #expect(found.posts.map(\.title.string) == titles && found.after == nil)
            await #expect(throws: CommandFault.self) {
                try await ann.call(PostCommands.list, .init(after: cursor))
            }
        }
    }

    @Test func `a cursor of another list is refused, and an order without a location`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, _) = try await reader(network, 25)
            let cursor = try #require(try await ann.call(PostCommands.list, .init()).after)
            for request in [
                ListPosts(order: .nearest, after: cursor), ListPosts(after: try Cursor("x")),
            ] {
                await #expect(
                    throws: CommandFault.notFound(
                        "'after' must be the cursor of an earlier page in this order.")
                ) { try await ann.call(PostCommands.list, request) }
            }
            await #expect(throws: CommandFault.self) {
                try await ann.call(
                    PostCommands.search, .init(text: try Text("post"), after: cursor))
            }
            for request in [
                ListPosts(order: .nearest), ListPosts(radiusMetres: try DistanceMetres(700)),
            ] {
                let refusal = try await #require(throws: CommandFault.self) {
                    try await ann.call(PostCommands.list, request)
                }
                #expect(refusal.sentence.hasPrefix("Your location is not known."))
            }
        }
    }

    @Test func `the comments on a post come in pages, the oldest first`() async throws {
        try await TestNetwork.with { network in
            let people = try await network.town("Ann", "Ben")
            let post = try await people[0].write("Sofa")
            try await network.settle()
            for number in 0..<60 { try await people[1].comment("comment \(number)", on: post) }
            try await network.settle()
            let first = try await people[0].show(post)
            #expect(first.comments.count == 50 && first.post.comments == 60)
            let second = try await people[0].call(
                PostCommands.show, .init(id: RecordPrefix(post.id), after: first.after))
            #expect(second.after == nil)
            #expect(
                (first.comments + second.comments).map(\.text.string)
                    == (0..<60).map { "comment \($0)" })
        }
    }
}

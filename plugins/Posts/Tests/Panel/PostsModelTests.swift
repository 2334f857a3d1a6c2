import Contract
import ControlAPI
import FeaturesAPI
import PanelKit
import PanelTestSupport
import PostsAPI
import Testing

@testable import PostsPanel

/// The panel of posts without its widgets, which need a display.
@MainActor
struct PostsModelTests {
    private let node = FakeNode()
    private let model: PostsModel

    init() {
        model = PostsModel(node: node)
        node.answer(NeighbourhoodCommands.list, with: places("Seongsu"))
        node.answer(PostCommands.list, with: page())
        node.answer(PostCommands.search, with: page())
        node.answer(PostCommands.mine, with: page())
        node.answer(PostCommands.drafts, with: PostDrafts(drafts: []))
        node.answer(PostCommands.hidden, with: HiddenPosts(posts: []))
        node.answer(MutedWordCommands.list, with: MutedWordList(words: []))
        node.answer(PostMessageCommands.messages, with: PostMessages(messages: []))
    }

    private nonisolated func places(_ names: String...) -> NeighbourhoodList {
        NeighbourhoodList(
            neighbourhoods: names.map { .init(id: key("a"), name: $0, peopleCount: 2) })
    }

    private nonisolated func post(_ number: Int, likes: Int = 0, isLiked: Bool = false) -> Post {
        Post(
            id: recordKey(number), space: key("a"), neighbourhood: "Seongsu", author: key("b"),
            name: "Ben", isMine: false, isMate: false, category: .free, title: "Post \(number)",
            text: "", isShortened: false, atMs: .min, expiresMs: .min, likes: likes,
            isLiked: isLiked)
    }

    private nonisolated func recordKey(_ number: Int) -> RecordKey {
        let digits = String(number, radix: 16)
        let text = String(repeating: "0", count: 32 - digits.count) + digits
        guard let key = try? RecordKey(text) else { preconditionFailure("it has 32 digits") }
        return key
    }

    private nonisolated func page(_ numbers: Range<Int>, after: String? = nil) -> PostPage {
        page(Array(numbers), after: after)
    }

    private nonisolated func page(_ numbers: [Int] = [], after: String? = nil) -> PostPage {
        PostPage(
            posts: numbers.map { post($0) }, after: after.flatMap { try? Cursor($0) },
            neighbourhoods: [])
    }

    private func askAll() async throws {
        try await model.queries.askAll()
        await model.queries.settle()
        _ = node.drainQueries()
    }

    private func receive(_ part: PostChange.Part, _ post: RecordKey? = nil) async -> [String] {
        _ = node.drainQueries()
        model.queries.receive(
            NodeEvent(PostEvents.changed, PostChange(part: part, post: post)))
        await model.queries.settle()
        return node.drainQueries()
    }

    private func map(_ metres: Double, north: Double = 0) throws -> PostsModel.Sight {
        let here = try #require(Coordinate(latitude: 37.5, longitude: 127))
        let middle = try #require(Coordinate(latitude: 37.5 + north, longitude: 127))
        return PostsModel.Sight(
            map: MapArea(centre: middle, radiusMetres: metres), location: here)
    }

    /// Waits until the list has so many posts.
    private func settle(_ count: Int) async {
        await wait { model.loaded?.posts.count == count }
    }

    // MARK: Joining

    @Test func `nothing is listed before a neighbourhood is joined`() async throws {
        node.answer(NeighbourhoodCommands.list, with: places())
        #expect(model.isOutside == nil)
        try await askAll()
        #expect(model.isOutside == true && model.loaded == nil)
        #expect(await !receive(.posts).contains("posts/list"))
        node.answer(NeighbourhoodCommands.list, with: places("Seongsu"))
        node.answer(PostCommands.list, with: page(0..<3))
        model.queries.receive(NodeEvent(NeighbourhoodEvents.changed, NeighbourhoodChange()))
        await model.queries.settle()
        #expect(model.isOutside == false && model.loaded?.posts.count == 3)
    }

    @Test func `leaving the last neighbourhood forgets what it brought`() async throws {
        node.answer(PostCommands.list, with: page(0..<3))
        try await askAll()
        #expect(model.loaded?.posts.count == 3)
        node.answer(NeighbourhoodCommands.list, with: places())
        _ = await receive(.neighbourhoods)
        #expect(model.isOutside == true && model.loaded == nil && model.mine == nil)
    }

    // MARK: Pages

    @Test func `the next page is asked for once, and comes after the first`() async throws {
        node.answer(PostCommands.list, with: page(0..<20, after: "n20"))
        try await askAll()
        model.sees(row: 16)
        #expect(node.drainQueries().isEmpty)
        // A post of the first page that is in the second one too is shown once.
        node.answer(PostCommands.list, with: page(19..<39))
        model.sees(row: 17)
        model.sees(row: 18)
        await settle(39)
        #expect(node.drainQueries() == ["posts/list"])
        #expect(model.loaded?.posts.map(\.title.string) == (0..<39).map { "Post \($0)" })
        model.sees(row: 38)
        #expect(node.drainQueries().isEmpty, "it was the last page")
    }

    @Test func `a page is added though a post changed while it was loaded`() async throws {
        node.answer(PostCommands.list, with: page(0..<20, after: "n20"))
        node.answer(PostCommands.mine, with: page(0..<20, after: "n20"))
        try await askAll()
        node.answer(PostCommands.list, with: page(20..<30))
        node.answer(PostCommands.mine, with: page(20..<30))
        model.sees(row: 19)
        model.loadMoreOwn()
        model.receive(post(1, likes: 4))
        await settle(30)
        await wait { model.mine?.posts.count == 30 }
        #expect(model.loaded?.posts.count == 30 && model.loaded?.posts[1].likes.value == 4)
        #expect(model.loaded?.after == nil)
        #expect(model.mine?.posts.count == 30 && model.mine?.posts[1].likes.value == 4)
    }

    @Test func `a page of an earlier choice is not added to another list`() async throws {
        node.answer(PostCommands.list, with: page(0..<20, after: "n20"))
        try await askAll()
        model.sees(row: 19)
        node.answer(PostCommands.search, with: page(50..<51))
        var filter = model.filter
        filter.words = "lead"
        model.choose(filter)
        await model.queries.settle()
        for _ in 0..<100 { await Task.yield() }
        #expect(model.loaded?.posts.map(\.title.string) == ["Post 50"])
    }

    @Test func `as many pages are loaded anew as there were when a post arrives`() async throws {
        var loaded = LoadedPosts()
        for number in 0..<2 { loaded.append(page(number * 20..<number * 20 + 20, after: "n20")) }
        var asked: [String?] = []
        let again = try await loaded.reloaded { cursor in
            asked.append(cursor?.string)
            return cursor == nil ? page(0..<20, after: "a") : page(20..<40, after: "b")
        }
        #expect(asked == [nil, "a"])
        #expect(again.posts.count == 40 && again.after?.string == "b")
    }

    @Test func `likes of a post that is not listed ask for nothing`() async throws {
        node.answer(PostCommands.list, with: page(0..<3))
        try await askAll()
        #expect(await receive(.counts, recordKey(7)).isEmpty)
        #expect(await receive(.counts, recordKey(2)) == ["posts/list"])
        #expect(await receive(.drafts) == ["posts/drafts"])
    }

    // MARK: The map

    @Test func `the list follows the map, and a search is offered once it has left me`()
        async throws
    {
        try await askAll()
        model.follow(try map(700))
        await model.queries.settle()
        #expect(node.drainQueries() == ["posts/list"])
        model.follow(try map(700))
        #expect(node.drainQueries().isEmpty && !model.offersSearch)
        model.follow(try map(467))
        await model.queries.settle()
        #expect(node.drainQueries() == ["posts/list"] && model.listing.area?.radiusMetres == 467)
        model.follow(try map(467, north: 0.1))
        #expect(node.drainQueries().isEmpty && model.offersSearch)
        var walking = try map(467, north: 0.1)
        walking.isWalking = true
        model.follow(walking)
        #expect(!model.offersSearch)
        model.follow(try map(467, north: 0.1))
        model.searchArea()
        await model.queries.settle()
        #expect(node.drainQueries() == ["posts/list"] && !model.offersSearch)
    }

    @Test func `a list of everywhere does not follow the map`() async throws {
        try await askAll()
        var filter = model.filter
        filter.isEverywhere = true
        model.choose(filter)
        await model.queries.settle()
        _ = node.drainQueries()
        model.follow(try map(700))
        #expect(node.drainQueries().isEmpty && !model.offersSearch)
        #expect(filter.request(in: try map(700).map, after: nil).radiusMetres == nil)
        filter.isEverywhere = false
        #expect(filter.request(in: try map(700).map, after: nil).radiusMetres?.value == 700)
    }

    // MARK: One post

    @Test func `a post is open at once, and closed if it is gone`() async throws {
        node.answer(PostCommands.list, with: page(0..<3))
        try await askAll()
        node.answer(PostCommands.open, with: PostDetail(post: post(1, likes: 4), comments: []))
        try await model.open(recordKey(1))
        #expect(model.opened?.post?.likes.value == 4 && model.opened?.isLoaded == true)
        #expect(model.loaded?.posts[1].likes.value == 4)
        var gone = 0
        model.onGone = { gone += 1 }
        node.refuse(PostCommands.show)
        _ = await receive(.posts, recordKey(1))
        #expect(model.opened == nil && gone == 1)
    }

    @Test func `a post that cannot be opened is not left open`() async throws {
        try await askAll()
        await #expect(throws: NodeRefusal.self) { try await model.open(recordKey(1)) }
        #expect(model.opened == nil)
    }

    @Test func `a comment is kept until it is sent, for each post`() async throws {
        try await askAll()
        for number in 1...2 {
            node.answer(PostCommands.open, with: PostDetail(post: post(number), comments: []))
            try await model.open(recordKey(number))
            model.typeComment("Comment \(number)")
        }
        #expect(model.comment.text == "Comment 2")
        await #expect(throws: NodeRefusal.self) { try await model.sendComment() }
        #expect(model.comment.text == "Comment 2", "it was refused")
        node.answer(
            PostCommands.comment,
            with: PostComment(
                id: recordKey(50), author: key("c"), isMine: true, isByAuthor: false,
                text: "Comment 2", atMs: .min))
        try await model.sendComment()
        #expect(model.comment.text.isEmpty && model.opened?.comments.count == 1)
        node.answer(PostCommands.open, with: PostDetail(post: post(1), comments: []))
        try await model.open(recordKey(1))
        #expect(model.comment.text == "Comment 1")
    }

    @Test func `the conversation with the author of the open post is known`() async throws {
        node.answer(
            PostMessageCommands.messages,
            with: PostMessages(messages: [
                PostMessage(person: key("c"), state: .asking),
                PostMessage(person: key("b"), state: .waiting),
            ]))
        try await askAll()
        #expect(model.message == nil && model.askingCount == 1)
        node.answer(PostCommands.open, with: PostDetail(post: post(1), comments: []))
        try await model.open(recordKey(1))
        #expect(model.message?.state == .waiting)
        #expect(await receive(.messages) == ["posts/messages"])
    }

    @Test func `a like is shown as the node answers it, and taken back`() async throws {
        node.answer(PostCommands.list, with: page(0..<3))
        try await askAll()
        node.answer(PostCommands.open, with: PostDetail(post: post(1), comments: []))
        try await model.open(recordKey(1))
        node.answer(PostCommands.like, with: post(1, likes: 1, isLiked: true))
        try await model.like(true)
        #expect(model.opened?.post?.liked == true && model.loaded?.posts[1].liked == true)
        node.answer(PostCommands.unlike, with: post(1))
        try await model.like(false)
        #expect(model.opened?.post?.liked == false)
    }

    @Test func `a post that was hidden leaves the lists at once`() async throws {
        node.answer(PostCommands.list, with: page(0..<3))
        try await askAll()
        node.answer(PostCommands.open, with: PostDetail(post: post(1), comments: []))
        try await model.open(recordKey(1))
        model.leaveOut(recordKey(1))
        #expect(model.opened == nil && model.loaded?.posts.count == 2)
    }

    // MARK: The empty list

    private func screen(
        of metres: Double = 700, _ change: (inout PostFilter) -> Void = { _ in }
    ) throws -> PostsScreen {
        var filter = PostFilter()
        change(&filter)
        var loaded = LoadedPosts()
        loaded.append(page())
        return PostsScreen(
            loaded, entries: [], filter: filter, area: try map(metres).map,
            location: try map(metres).location)
    }

    @Test func `an empty list has one action, by its cause`() throws {
        #expect(try screen().remedy == .everywhere)
        #expect(try screen { $0.isEverywhere = true }.remedy == .write)
        #expect(try screen { $0.category = .free }.remedy == .showAll)
        #expect(try screen { $0.words = "lead" }.remedy == .showAll)
        #expect(try screen().heading == "Within 700 m of you")
        #expect(try screen(of: 186_670).heading == "Within 187 km of you")
        #expect(try screen { $0.isEverywhere = true }.heading == "Posts everywhere")
    }

    @Test func `a list that is not known yet has no action`() {
        let screen = PostsScreen(
            nil, entries: [], filter: PostFilter(), area: nil, location: nil)
        #expect(screen.remedy == nil && screen.hint == "One moment…" && screen.entries.isEmpty)
    }

    @Test func `posts that are left out are counted`() {
        var loaded = LoadedPosts()
        loaded.append(
            PostPage(posts: [post(1)], hiddenCount: 2, neighbourhoods: []))
        let entries = [PostEntry(post(1), from: nil, now: .min)]
        let screen = PostsScreen(
            loaded, entries: entries, filter: PostFilter(), area: nil, location: nil)
        #expect(screen.hint == "2 posts are hidden by your settings.")
        #expect(screen.remedy == nil && screen.next == nil)
    }

    @Test func `pages without a post are passed over, and more can be asked for`() async throws {
        // All pages are empty and have a cursor: very many posts are hidden.
        node.answer(PostCommands.list, with: page(after: "n20"))
        try await askAll()
        #expect(model.loaded?.pagesCount == LoadedPosts.emptyPagesMax)
        let screen = PostsScreen(
            model.loaded, entries: [], filter: PostFilter(), area: nil, location: nil)
        #expect(screen.remedy == .more)
        node.answer(PostCommands.list, with: page(0..<3))
        model.loadMore()
        await settle(3)
        #expect(model.loaded?.posts.count == 3 && model.loaded?.after == nil)
    }

    @Test func `a page that cannot be loaded is reported, and can be asked for again`() async throws
    {
        node.answer(PostCommands.list, with: page(0..<20, after: "n20"))
        try await askAll()
        var faults = 0
        model.queries.onFault = { _ in faults += 1 }
        node.refuse(PostCommands.list)
        model.loadMore()
        await wait { !model.isLoadingMore }
        #expect(faults == 1 && model.loaded?.posts.count == 20)
        node.answer(PostCommands.list, with: page(20..<30))
        model.loadMore()
        await settle(30)
        #expect(model.loaded?.posts.count == 30)
    }

    @Test func `a reader far down the list keeps their place when a post arrives`() async throws {
        var loaded = LoadedPosts()
        for number in 0..<30 {
            loaded.append(page(number * 20..<number * 20 + 20, after: "n\(number)"))
        }
        var asked = 0
        // A new post is before all others, so each page begins one earlier.
        let again = try await loaded.reloaded { _ in
            asked += 1
            let first = (asked - 1) * 20
            return asked == 1
                ? page([999] + Array(0..<19), after: "x") : page(first - 1..<first + 19, after: "x")
        }
        #expect(asked == LoadedPosts.pagesRepeatedMax)
        #expect(again.posts.count == 601 && again.after == loaded.after)
        #expect(again.posts.map(\.title.string) == (["Post 999"] + (0..<600).map { "Post \($0)" }))
    }

    @Test func `entries are made anew for other posts, another minute or another location`()
        async throws
    {
        node.answer(PostCommands.list, with: page(0..<2))
        try await askAll()
        let (entries, noon) = (ListedEntries(), Timestamp(milliseconds: 1_000_000_000_000))
        #expect(entries.of(model, from: nil, now: noon).count == 2)
        node.answer(PostCommands.list, with: page(0..<3))
        _ = await receive(.posts)
        #expect(entries.of(model, from: nil, now: noon).count == 3)
        model.leaveOut(recordKey(0))
        #expect(entries.of(model, from: nil, now: noon + .seconds(61)).count == 2)
    }
}

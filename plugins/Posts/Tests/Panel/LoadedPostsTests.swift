import Contract
import PanelTestSupport
import PostsAPI
import Testing

@testable import PostsPanel

/// Loaded pages of posts, of which the user removes some while others are loaded.
struct LoadedPostsTests {
    private func recordKey(_ number: Int) throws -> RecordKey {
        let digits = String(number, radix: 16)
        return try RecordKey(String(repeating: "0", count: 32 - digits.count) + digits)
    }

    private func page(_ numbers: [Int], after: String? = nil) throws -> PostPage {
        PostPage(
            posts: try numbers.map { number in
                Post(
                    id: try recordKey(number), space: key("a"), neighbourhood: "Seongsu",
                    author: key("b"), isMine: false, isMate: false, category: .free,
                    title: "\(number)", text: "", isShortened: false, atMs: .min, expiresMs: .min)
            }, after: try after.map { try Cursor($0) }, neighbourhoods: [])
    }

    private func numbers(_ loaded: LoadedPosts) -> [Int] {
        loaded.posts.compactMap { Int($0.title.string) }
    }

    @Test func `a post that is removed while a page is loaded does not come back with it`()
        async throws
    {
        var loaded = LoadedPosts()
        loaded.append(try page(Array(0..<20), after: "n20"))
        var more = loaded
        more.append(try page(Array(20..<30)))
        for number in [18, 19] { loaded.remove(try recordKey(number)) }
        // The first page is loaded anew meanwhile, with another post above it.
        let first = try page([40] + Array(0..<18), after: "n17")
        let again = try await loaded.reloaded { _ in first }
        #expect(numbers(again) == [40] + Array(0..<18))
        for var list in [loaded, again] {
            let shown = numbers(list)
            list.keepRest(of: more)
            #expect(numbers(list) == shown + Array(20..<30))
            #expect(list.after == nil && list.pagesCount == 2)
        }
    }

    @Test func `a post that leaves the first page is kept while the next one is loaded`() throws {
        var (loaded, more) = (LoadedPosts(), LoadedPosts())
        loaded.append(try page([40] + Array(0..<19), after: "n18"))
        more.append(try page(Array(0..<20), after: "n19"))
        more.append(try page(Array(20..<30)))
        loaded.keepRest(of: more)
        #expect(numbers(loaded) == [40] + Array(0..<30))
    }

    @Test func `a removed post that a later page has is shown`() throws {
        var loaded = LoadedPosts()
        loaded.append(try page([0, 1], after: "n1"))
        loaded.remove(try recordKey(1))
        loaded.append(try page([2, 1]))
        #expect(numbers(loaded) == [0, 2, 1])
    }

    @Test func `a search without a match so far says so, and offers to go on`() throws {
        var loaded = LoadedPosts()
        loaded.append(try page([], after: "f1"))
        var filter = PostFilter()
        for (words, hint) in [
            ("", "None of the newest posts is shown to you."),
            ("lead", "No match among the posts searched so far."),
        ] {
            filter.words = words
            let screen = PostsScreen(
                loaded, entries: [], filter: filter, area: nil, location: nil)
            #expect(screen.hint == hint && screen.remedy == .more)
        }
    }
}

import PluginKit
import PostsAPI
import TestSupport
import Testing

@testable import Posts

/// Pages end at a post and not at an index, so each post is in one page, whatever arrives.
struct PostCursorTests {
    private struct Post: Hashable {
        var id: EntityID
        var stamp: Int64
        var point: Point
    }

    private func post(
        _ generator: inout SeededGenerator, stamps: ClosedRange<Int>
    ) throws -> Post {
        Post(
            id: try #require(EntityID(bytes: generator.bytes(16))),
            stamp: Int64(generator.number(stamps)),
            // Few locations, so that many are at the same distance.
            point: try Point(latitude: Double(generator.number(0...9)) / 100, longitude: 0))
    }

    /// Reads pages of all posts by a cursor that passes through its text each time.
    /// - Parameters:
    ///   - cursor: returns the cursor at a post.
    ///   - precedes: whether a post comes after a cursor.
    ///   - arrive: what arrives between two pages.
    private func read(
        _ posts: inout Set<Post>, sortedBy: (Post, Post) -> Bool, cursor: (Post) -> PostCursor,
        precedes: (PostCursor, Post) -> Bool, arrive: (inout Set<Post>) throws -> Void
    ) throws -> [Post] {
        var found: [Post] = []
        var last: PostCursor?
        while true {
            let rest = posts.filter { post in last.map { precedes($0, post) } ?? true }
            let page = rest.sorted(by: sortedBy).prefix(PostLimits.pageCount)
            found += page
            guard page.count == PostLimits.pageCount, let end = page.last else { return found }
            let text = cursor(end).text
            #expect(text.count <= 200)
            let read: PostCursor = try #require(PostCursor(text))
            #expect(read == cursor(end))
            last = read
            try arrive(&posts)
        }
    }

    @Test func `pages of the newest have each post once while newer and older ones arrive`() throws
    {
        var generator = SeededGenerator(seed: 81)
        var posts: Set<Post> = []
        for _ in 0..<130 { posts.insert(try post(&generator, stamps: 100...110)) }
        let before = posts
        let found = try read(
            &posts, sortedBy: { ($0.stamp, $0.id) > ($1.stamp, $1.id) },
            cursor: { .newest(stamp: $0.stamp, post: $0.id) },
            precedes: { $0.precedes(stamp: $1.stamp, post: $1.id) },
            arrive: {
                $0.insert(try post(&generator, stamps: 111...120))
                $0.insert(try post(&generator, stamps: 1...9))
            })
        #expect(Set(found).count == found.count, "seed 81")
        #expect(Set(found).isSuperset(of: before), "seed 81")
        #expect(found.count > before.count)
    }

    @Test func `pages of the nearest have each post once while others arrive and I walk on`()
        throws
    {
        var generator = SeededGenerator(seed: 82)
        var posts: Set<Post> = []
        for _ in 0..<130 { posts.insert(try post(&generator, stamps: 1...9)) }
        let before = posts
        let centre = try Point(latitude: 0.031, longitude: 0)
        func metres(_ post: Post) -> Double { centre.distanceMetres(to: post.point) }
        let found = try read(
            &posts, sortedBy: { (metres($0), $0.id) < (metres($1), $1.id) },
            cursor: { .nearest(centre: centre, metres: metres($0), post: $0.id) },
            precedes: { $0.precedes(metres: metres($1), post: $1.id) },
            arrive: { for _ in 0..<3 { $0.insert(try post(&generator, stamps: 1...9)) } })
        #expect(Set(found).count == found.count, "seed 82")
        #expect(Set(found).isSuperset(of: before), "seed 82")
    }

    @Test func `a post at the cursor itself does not follow it, and one beside it does`() throws {
        let low = try #require(EntityID(bytes: [UInt8](repeating: 1, count: 16)))
        let high = try #require(EntityID(bytes: [UInt8](repeating: 2, count: 16)))
        let newest = PostCursor.newest(stamp: 5, post: low)
        #expect(!newest.precedes(stamp: 5, post: low))
        #expect(!newest.precedes(stamp: 5, post: high))
        #expect(PostCursor.newest(stamp: 5, post: high).precedes(stamp: 5, post: low))
        #expect(newest.precedes(stamp: 4, post: high) && !newest.precedes(stamp: 6, post: low))
        let nearest = PostCursor.nearest(
            centre: try Point(latitude: 0, longitude: 0), metres: 5, post: low)
        #expect(!nearest.precedes(metres: 5, post: low))
        #expect(nearest.precedes(metres: 5, post: high))
        #expect(nearest.precedes(metres: 5.0.nextUp, post: low))
        #expect(!nearest.precedes(metres: 5.0.nextDown, post: high))
        #expect(!nearest.precedes(stamp: 1, post: low) && !newest.precedes(metres: 9, post: low))
        #expect(newest.order == .newest && nearest.order == .nearest)
    }

    @Test func `a text that is no cursor is refused`() throws {
        let post = try #require(EntityID(bytes: [UInt8](repeating: 1, count: 16)))
        let newest = PostCursor.newest(stamp: .max, post: post).text
        #expect(PostCursor(newest) != nil)
        let nearest = PostCursor.nearest(
            centre: try Point(latitude: -90, longitude: 180), metres: 0, post: post
        ).text
        #expect(PostCursor(nearest) != nil)
        let id = Hexadecimal.text(post.bytes)
        func bits(_ number: Double) -> String {
            let digits = String(number.bitPattern, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        for text in [
            "", "n", "d", "x" + newest.dropFirst(), newest + "00", newest.dropLast(2).description,
            newest.dropLast().description, "n8000000000000000" + id, "n" + nearest.dropFirst(),
            "d" + newest.dropFirst(), nearest + "é", "d" + bits(90.1) + bits(0) + bits(1) + id,
            "d" + bits(.nan) + bits(0) + bits(1) + id, "d" + bits(0) + bits(0) + bits(-1) + id,
            "d" + bits(0) + bits(0) + bits(.infinity) + id,
            "d" + bits(0) + bits(0) + bits(.nan) + id,
        ] { #expect(PostCursor(text) == nil, "\(text)") }
    }
}

import PluginKit
import PostsAPI
import Testing

@testable import Posts

/// The text in which a request names the end of a page.
struct PostCursorTests {
    @Test func `a cursor is read from its text as it was`() throws {
        let id = try #require(EntityID(bytes: [UInt8](repeating: 7, count: 16)))
        let centre = try Point(latitude: -33.9, longitude: 18.4)
        let cursors: [PostCursor] = [
            .newest(stamp: 0, post: id), .newest(stamp: .max, post: id),
            .nearest(centre: centre, step: 0, stamp: .max, post: id), .found(number: .max),
            .walked(stamp: .max, post: id),
            .comment(stamp: 5, comment: id),
        ]
        for cursor in cursors {
            #expect(cursor.text.count <= 200)
            #expect(PostCursor(cursor.text) == cursor)
        }
    }

    @Test func `a text that is no cursor is refused`() throws {
        let post = try #require(EntityID(bytes: [UInt8](repeating: 1, count: 16)))
        let newest = PostCursor.newest(stamp: .max, post: post).text
        #expect(PostCursor(newest) != nil)
        let nearest = PostCursor.nearest(
            centre: try Point(latitude: -90, longitude: 180), step: 2_003_750, stamp: 0, post: post
        ).text
        #expect(PostCursor(nearest) != nil)
        let id = Hexadecimal.text(post.bytes)
        func bits(_ number: Double) -> String { digits(number.bitPattern) }
        func digits(_ number: UInt64) -> String {
            let digits = String(number, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        let (at, stamp) = (bits(0) + bits(0), digits(0))
        for text in [
            "", "n", "d", "x" + newest.dropFirst(), newest + "00", newest.dropLast(2).description,
            newest.dropLast().description, "n8000000000000000" + id, "n" + nearest.dropFirst(),
            "d" + newest.dropFirst(), nearest + "é",
            "d" + bits(90.1) + bits(0) + digits(1) + stamp + id,
            "d" + bits(.nan) + bits(0) + digits(1) + stamp + id,
            "d" + at + digits(2_003_751) + stamp + id, "d" + at + digits(1 << 63) + stamp + id,
            "d" + at + digits(1) + digits(1 << 63) + id, "f8000000000000000", "f00", "c",
            "c8000000000000000" + id, "w8000000000000000" + id, "w",
        ] { #expect(PostCursor(text) == nil, "\(text)") }
    }
}

import PluginKit
import PostsAPI
import Testing

@testable import Posts

/// The limits of a post, each at the limit and one past it.
struct PostDraftTests {
    private let gate: Point

    init() throws { gate = try Point(latitude: 37.5665, longitude: 126.9780) }

    private func draft(
        title: String = "A walk", text: String = "", precision: PostPrecision = .rounded
    ) throws -> PostDraft {
        try PostDraft(
            category: .free, title: title, text: text, location: gate, precision: precision)
    }

    private func field(_ work: () throws -> PostDraft) -> String? {
        do {
            _ = try work()
            return nil
        } catch CommandFault.usage(_, let field) {
            return field
        } catch {
            return "another error"
        }
    }

    @Test func `there are five categories, with words that never change`() {
        #expect(
            PostCategory.allCases.map(\.rawValue)
                == ["walk", "question", "second-hand", "sitter", "give-away"])
    }

    @Test(arguments: ["a", "산", "👨‍👩‍👧‍👦"])
    func `a title of 1 or 50 characters is accepted, of 0 or 51 refused`(
        letter: String
    ) throws {
        #expect(try draft(title: letter).title == letter)
        let longest = String(repeating: letter, count: 50)
        #expect(try draft(title: "  \(longest) ").title == longest)
        #expect(field { try draft(title: longest + letter) } == "title")
        #expect(field { try draft(title: "") } == "title")
        #expect(field { try draft(title: " \u{200b}") } == "title")
        #expect(field { try draft(title: "a\nb") } == "title")
    }

    @Test(arguments: ["a", "산"])
    func `a text of 0 or 1000 characters is accepted, of 1001 refused`(letter: String) throws {
        #expect(try draft(text: "").text == "")
        let longest = String(repeating: letter, count: 1000)
        #expect(try draft(text: longest).text == longest)
        #expect(field { try draft(text: longest + letter) } == "text")
        #expect(try draft(text: "one\r\ntwo").text == "one\ntwo")
        #expect(field { try draft(text: "a\u{202e}b") } == "text")
    }

    @Test func `texts of the longest characters fit a record, and one byte more is refused`()
        throws
    {
        // Sixteen code points of four bytes are the longest character that is accepted.
        let long = "👨" + String(repeating: "\u{e0100}", count: 15)
        #expect(long.count == 1 && long.utf8.count == 64)
        let longest = String(repeating: long, count: 512)
        #expect(longest.utf8.count == Limits.valueBytesMax)
        #expect(try draft(text: longest).text == longest)
        #expect(field { try draft(text: longest + "a") } == "text")
        #expect(field { try draft(text: long + "\u{e0100}") } == "text")
        #expect(PostLimits.title.bytesMax == 3200)
        #expect(PostLimits.comment.bytesMax == 19_200)
        // The two fields and what else a record has fit a batch.
        #expect(PostLimits.title.bytesMax + PostLimits.text.bytesMax < 40 * 1024)
    }

    @Test func `a comment of 1 or 300 characters is accepted, of 0 or 301 refused`() throws {
        for letter in ["a", "산", "👨‍👩‍👧‍👦"] {
            let longest = String(repeating: letter, count: 300)
            #expect(try CommentText(longest).string == longest)
            #expect(try CommentText(letter).string == letter)
            #expect(throws: CommandFault.self) { try CommentText(longest + letter) }
        }
        #expect(throws: CommandFault.self) { try CommentText(" \n") }
    }

    @Test func `the first fault is told, in the order title, text`() {
        let long = String(repeating: "a", count: 1001)
        #expect(field { try draft(title: "", text: long) } == "title")
        #expect(field { try draft(text: long) } == "text")
    }

    @Test func `a location is rounded unless the author chose the exact one, or none`() throws {
        #expect(try draft(precision: .exact).location == gate)
        #expect(try draft(precision: .rounded).location == gate.movedToGrid)
        #expect(gate.movedToGrid != gate)
        let none = try PostDraft(
            category: .walk, title: "a", text: "", location: nil, precision: .rounded)
        #expect(none.location == nil)
    }
}

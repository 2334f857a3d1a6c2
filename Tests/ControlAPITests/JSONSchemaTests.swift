import Contract
import ControlAPI
import Foundation
import Testing

/// Checks limits as the OpenAPI document states them.
@Suite struct JSONSchemaTests {
    private func matches(_ schema: Schema, _ text: String) throws -> Bool {
        let pattern = try NSRegularExpression(pattern: try #require(schema.json["pattern"]?.string))
        let range = NSRange(text.startIndex..., in: text)
        return pattern.firstMatch(in: text, range: range) != nil
    }

    @Test func `the maximum length in the document never exceeds the node's limit`() throws {
        let schema = Schema.of(Text<1, 5>.self)
        #expect(schema.json["maxLength"] == 5)
        #expect(schema.json["description"]?.string?.contains("as a person counts them") == true)
        let decomposed = "\u{1100}\u{1161}\u{11A8}"
        for character in ["x", "강", decomposed, "👨‍👩‍👧‍👦", "e\u{301}"] {
            let five = String(repeating: character, count: 5)
            try schema.check(.string(five), field: "text")
            #expect(throws: CommandFault.self) {
                try schema.check(.string(five + character), field: "text")
            }
        }
        // A text of at most 5 code points has at most 5 characters.
        try schema.check(.string(String(decomposed.unicodeScalars.prefix(5)) + "xx"), field: "text")
    }

    @Test func `the document admits every text of an answer`() {
        let schema = Schema.of(ShownText<5>.self).json
        #expect(schema["minLength"] == 0 && schema["pattern"] == nil)
        // JSON Schema counts code points, of which each character may have sixteen.
        #expect(schema["maxLength"] == 80)
        let longest = "e" + String(repeating: "\u{301}", count: 200)
        #expect(ShownText<5>(clipping: longest).string.unicodeScalars.count == 80)
    }

    @Test func `the pattern of a line requires a visible character, unless it may be empty`() throws
    {
        let (filled, open) = (Schema.of(Text<1, 5>.self), Schema.of(Text<0, 5>.self))
        #expect(filled.json["minLength"] == 1 && open.json["minLength"] == 0)
        for (text, isFilled, isOpen) in [
            ("a b", true, true), ("강", true, true), ("", false, true), ("  ", false, true),
            ("a\nb", false, false),
        ] {
            #expect(try matches(filled, text) == isFilled, "\(text)")
            #expect(try matches(open, text) == isOpen, "\(text)")
        }
    }

    @Test func `the pattern of a path requires a slash at the start and no zero byte`() throws {
        for (text, isPath) in [("/", true), ("/a\n b", true), ("a", false), ("/a\0b", false)] {
            #expect(try matches(.text(.path), text) == isPath, "\(text)")
        }
    }
}

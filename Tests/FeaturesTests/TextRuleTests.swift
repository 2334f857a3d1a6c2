import PluginKit
import Testing

@testable import Features

@Suite struct TextRuleTests {
    private func accepts(_ rule: TextRule, _ text: String) -> Bool {
        (try? rule.check(text, field: "field")) != nil
    }

    @Test func `composed Hangul is clipped like other letters`() {
        let rule = TextRule(characters: 1...5, bytesMax: 12)
        let five = TextRule(characters: 1...5)
        for (text, clipped) in [
            ("산책", "산책"), (" 산책", "산책"), ("산책 ", "산책"), ("산책가자고", "산책가자고"),
            ("산책가자고요", "산책가자고"), ("산\u{202e}책", "산책"),
        ] { #expect(five.clip(text) == clipped, "\(text)") }
        #expect(five.clip("a산책bc") == "a산책bc" && five.clip("") == nil && five.clip(" ") == nil)
        // A consonant after a syllable is part of its character.
        #expect(five.clip("하\u{11ab}산책가자고")?.count == 5)
        #expect(rule.clip("산책가자") == "산책가자" && rule.clip("산책가자고") == "산책가자")
    }

    @Test func `an empty nickname is refused and one of 1 character accepted`() {
        #expect(!accepts(.nickname, ""))
        #expect(accepts(.nickname, "A"))
    }

    @Test func `a nickname of 20 characters is accepted and of 21 refused`() {
        #expect(accepts(.nickname, String(repeating: "산", count: 20)))
        #expect(!accepts(.nickname, String(repeating: "산", count: 21)))
    }

    @Test func `a nickname of 512 bytes is accepted and of 513 refused`() throws {
        // One character of 64 bytes, the longest that one may be.
        let longest = "👩" + String(repeating: "\u{1f3fd}", count: 15)
        #expect(accepts(.nickname, String(repeating: longest, count: 8)))
        #expect(!accepts(.nickname, String(repeating: longest, count: 8) + "a"))
        let clipped = try #require(
            TextRule.nickname.clip(String(repeating: longest, count: 8) + "a"))
        #expect(clipped == String(repeating: longest, count: 8))
    }

    @Test func `a dog's name of 15 characters is accepted and of 16 refused`() {
        #expect(accepts(.dogName, String(repeating: "a", count: 15)))
        #expect(!accepts(.dogName, String(repeating: "a", count: 16)))
    }

    @Test func `a message of 100 characters is accepted and of 101 refused`() {
        #expect(accepts(.message, String(repeating: "산", count: 100)))
        #expect(!accepts(.message, String(repeating: "산", count: 101)))
    }

    @Test func `a family emoji is one character`() {
        #expect(accepts(.dogName, "👨‍👩‍👧‍👦"))
        #expect(accepts(.nickname, "👨‍👩‍👧‍👦"))
        #expect(accepts(.nickname, String(repeating: "👨‍👩‍👧‍👦", count: 20)))
        #expect(!accepts(.nickname, String(repeating: "👨‍👩‍👧‍👦", count: 21)))
    }

    @Test(arguments: ["", " ", "\n\t ", "\u{200b}\u{200b}", "\u{3164}\u{3164}"])
    func `a text that shows nothing is refused`(_ text: String) {
        #expect(!accepts(.dogName, text))
    }

    @Test func `white space around a text is trimmed`() throws {
        #expect(try TextRule.nickname.check("  Ann \n", field: "nickname") == "Ann")
    }

    @Test(arguments: ["two\nlines", "a\u{7}b", "a\u{202e}b", "a\u{2028}b"])
    func `a message is one line without control characters`(_ text: String) {
        #expect(!accepts(.message, text))
    }

    @Test func `a character of 16 scalars is accepted and of 17 refused`() {
        #expect(accepts(.dogName, "a" + String(repeating: "\u{301}", count: 15)))
        #expect(!accepts(.dogName, "a" + String(repeating: "\u{301}", count: 16)))
    }

    @Test func `the longest text of a rule fits its bytes`() throws {
        let character = "👩" + String(repeating: "\u{1f3fd}", count: 15)
        let text = String(repeating: character, count: 20)
        let clipped = try #require(TextRule.nickname.clip(text))
        #expect(clipped.utf8.count <= TextRule.nickname.bytesMax)
    }

    @Test func `a text from outside is cut, not trusted`() {
        let marks = "x" + String(repeating: "\u{301}", count: 4000)
        #expect(TextRule.nickname.clip(marks)?.unicodeScalars.count == 16)
        #expect(TextRule.nickname.clip("a\nb\u{202e}c") == "abc")
        #expect(
            TextRule.nickname.clip(String(repeating: "0", count: 20) + "1")
                == String(repeating: "0", count: 20))
        #expect(TextRule.nickname.clip(" \n ") == nil)
    }
}

import ChatAPI
import PluginKit
import TestSupport
import Testing

@testable import Chat

/// The text of a message, at each limit and one past it.
@Suite struct TextTests {
    private func refusal(_ text: String) -> String? {
        do {
            _ = try MessageText.rule.check(text, field: "text")
            return nil
        } catch {
            return error.sentence
        }
    }

    @Test(arguments: ["a", "산", "🐶", "\u{1112}\u{1161}\u{11ab}"])
    func `a message of 2000 characters is accepted and of 2001 refused`(character: String) {
        #expect(refusal(String(repeating: character, count: 2000)) == nil)
        #expect(
            refusal(String(repeating: character, count: 2001))
                == "'text' must have 1 to 2000 characters; it has 2001")
    }

    @Test func `a family emoji is one character, and bytes limit how many there may be`() {
        let family = "👨‍👩‍👧‍👦"
        let most = Limits.valueBytesMax / family.utf8.count
        #expect(refusal(String(repeating: family, count: most)) == nil)
        let sentence = refusal(String(repeating: family, count: most + 1))
        #expect(sentence?.contains("at most 32768 bytes") == true)
        // The limit in characters comes first if it is the smaller one.
        #expect(refusal(String(repeating: family, count: 2001))?.contains("2001") == true)
    }

    @Test func `64 KiB of combining marks are refused, and 16 parts of a character accepted`() {
        let marks = String(repeating: "\u{301}", count: 32 * 1024)
        #expect(marks.utf8.count == 64 * 1024)
        for text in [marks, "a" + marks] {
            #expect(
                refusal(text)
                    == "'text' must not have a character of more than 16 code points")
        }
        #expect(refusal("a" + String(repeating: "\u{301}", count: 15)) == nil)
        #expect(refusal("a" + String(repeating: "\u{301}", count: 16)) != nil)
    }

    @Test(arguments: ["", " ", "\n\n", "\u{200b}", "\u{3164}"])
    func `a message that shows nothing is refused`(text: String) {
        #expect(refusal(text) == "'text' must not be blank")
    }

    @Test(arguments: ["a\u{7}b", "a\u{0}b", "a\u{202e}b"])
    func `a message has no control characters`(text: String) {
        #expect(refusal(text) == "'text' must not have control characters")
    }

    @Test func `a message may have several lines, each ending in one way`() throws {
        #expect(
            try MessageText.rule.check(" one\r\ntwo\rthree\u{2028}fo\tur\n\n", field: "text")
                == "one\ntwo\nthree\nfo ur")
    }

    @Test func `a message from a changed program is shown cut`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            let texts = [
                String(repeating: "x", count: 5000), "a\u{202e}b", " ",
                String(repeating: "\u{301}", count: 16_000),
            ]
            for (number, text) in texts.enumerated() {
                try await ben.write(
                    [
                        .create(
                            collection: Chat.message.name,
                            nonce: try #require(
                                Bytes16([UInt8](repeating: UInt8(number), count: 16))),
                            fields: ["text": .text(text)])
                    ], in: .between(ann.me.person, ben.me.person))
            }
            try await network.settle()
            let shown = try await ann.open(ben.key).shown.map(\.text)
            #expect(shown.count == 4)
            #expect(shown[0] == String(repeating: "x", count: 2000))
            #expect(shown[1] == "ab")
            #expect(shown[2].isEmpty)
            #expect(shown[3].unicodeScalars.count <= 16)
            #expect(try await ann.unread(in: ben.key) == 0)
        }
    }
}

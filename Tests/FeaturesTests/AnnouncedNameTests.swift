import PluginKit
import Testing

@testable import Features

@Suite struct AnnouncedNameTests {
    private func announced(_ name: AnnouncedName, _ text: String) -> String? {
        name.bytes(of: text).map { String(decoding: $0, as: UTF8.self) }
    }

    private func shown(_ name: AnnouncedName, _ bytes: [UInt8]) -> String? {
        var fields = AnnouncedFields()
        fields.insert(name.key, bytes)
        return name.text(in: fields, MutedWords())
    }

    @Test func `a name at its limit is announced whole and one character more is cut`() {
        #expect(announced(.nickname, "12345678") == "12345678")
        #expect(announced(.nickname, "123456789") == "12345678")
        #expect(announced(.dogName, "123456789012345") == "123456789012345")
        #expect(announced(.dogName, "1234567890123456") == "123456789012345")
    }

    @Test func `a nickname of 8 characters is announced whole and of 9 to 20 cut to 8`() {
        for (count, cut) in [(8, 8), (9, 8), (20, 8)] {
            let name = String(repeating: "산", count: count)
            #expect(announced(.nickname, name) == String(repeating: "산", count: cut))
        }
    }

    @Test func `a name is cut to 96 bytes at a whole character`() {
        let face = "👨‍👩‍👧‍👦"
        #expect(
            announced(.nickname, String(repeating: face, count: 8))
                == String(repeating: face, count: 3))
        #expect(announced(.nickname, String(repeating: "가", count: 20))?.count == 8)
    }

    @Test(arguments: ["", " ", "\n", "\u{202E}", "\u{200B}"])
    func `a name without a visible character is not announced`(name: String) {
        #expect(announced(.nickname, name) == nil)
    }

    @Test(arguments: [
        "a\nb", "a\u{0}b", "a\u{202E}b", "a\u{2028}b", "ab\u{7F}", "a\u{200B}b", "a\u{AD}b",
    ])
    func `a name is announced without characters that cannot be shown on one line`(name: String) {
        #expect(announced(.nickname, name) == "ab")
    }

    @Test func `spaces at the ends are removed`() {
        #expect(announced(.nickname, " Mari ") == "Mari")
        #expect(announced(.nickname, "1234567 9") == "1234567")
    }

    @Test func `a hostile name is cut to the part that may be shown, or not shown`() {
        #expect(shown(.nickname, Array("123456789".utf8)) == "12345678")
        #expect(shown(.dogName, Array("Rex\u{202E}".utf8)) == "Rex")
        #expect(shown(.nickname, [0xFF, 0xFE]) == nil)
        #expect(shown(.nickname, Array("\u{200B}\n".utf8)) == nil)
        let accents = "a" + String(repeating: "\u{301}", count: 47)
        #expect(shown(.nickname, Array(accents.utf8))?.unicodeScalars.count ?? 0 <= 16)
        #expect(AnnouncedName.nickname.text(in: AnnouncedFields(), MutedWords()) == nil)
        var fields = AnnouncedFields()
        fields.insert(AnnouncedName.nickname.key, Array("CasinoBen".utf8))
        #expect(AnnouncedName.nickname.text(in: fields, MutedWords(["casino"])) == nil)
        #expect(AnnouncedName.nickname.text(in: fields, MutedWords(["other"])) == "CasinoBe")
    }
}

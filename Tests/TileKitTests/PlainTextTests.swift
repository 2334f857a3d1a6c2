import Testing

@testable import TileKit

struct PlainTextTests {
    private func line(_ html: String, _ charactersMax: Int = 60) -> String {
        PlainText.line(ofHTML: html, charactersMax: charactersMax)
    }

    @Test(
        arguments: [
            ("&copy; <a href=\"x\" target=_blank>Ann &amp; Ben</a>", "© Ann & Ben"),
            ("one<br/>two\n\tthree", "one two three"),
            ("<p>one</p><P>two</P> <b>three</b>, four", "one two three, four"),
            ("a < b &lt; c > d", "a < b < c > d"),
            ("&#169; &#xA9; &#x110000; &nothing; AT&T", "© © &#x110000; &nothing; AT&T"),
            ("&lt;script&gt;", "<script>"),
            ("<b", "<b"),
            ("a\u{202E}b\u{0}c\u{7}", "abc"),
            ("서울 지도", "서울 지도"),
        ])
    func `HTML becomes one line of plain text`(html: String, text: String) {
        #expect(line(html) == text)
    }

    @Test func `no more than the beginning of a long text is looked at`() {
        let marks = "a" + String(repeating: "\u{301}", count: 500_000)
        #expect(line(marks, 5).unicodeScalars.count <= PlainText.scalarsMax)
        #expect(line(String(repeating: "<a", count: 300_000), 5) == "<a<a…")
    }

    @Test func `a text is cut one character beyond the limit`() {
        #expect(line("abcde", 5) == "abcde")
        #expect(line("abcdef", 5) == "abcd…")
    }

    @Test func `areas on Earth are read, and others are not`() throws {
        let area = try #require(TileBounds(text: "-10.5, -20,30,40"))
        #expect((area.west, area.south, area.east, area.north) == (-10.5, -20, 30, 40))
        for text in ["", "1,2,3", "1,2,1,3", "3,2,1,4", "nan,2,3,4", "0,-91,1,1", "0,0,181,1"] {
            #expect(TileBounds(text: text) == nil)
        }
    }
}

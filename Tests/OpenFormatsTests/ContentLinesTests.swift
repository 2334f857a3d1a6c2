import Testing

@testable import OpenFormats

/// The lines that vCard and iCalendar share.
struct ContentLinesTests {
    private func lines(_ text: String) throws(FormatFault) -> [ContentLine] {
        try ContentLines.read(Array(text.utf8))
    }

    @Test func `a line of 75 bytes is not folded and one of 76 is`() {
        let value = String(repeating: "x", count: 70)
        #expect(ContentLines.line("NOTE", value) == "NOTE:\(value)\r\n")
        #expect(ContentLines.line("NOTE", value + "y") == "NOTE:\(value)\r\n y\r\n")
    }

    @Test func `a character is never folded in its middle`() {
        // 74 bytes, and then one character of three.
        let line = ContentLines.line("NOTE", String(repeating: "x", count: 69) + "산")
        #expect(line.hasSuffix("x\r\n 산\r\n"))
        for part in line.split(separator: "\r\n") { #expect(part.utf8.count <= 75) }
    }

    @Test func `folded lines are joined, also between the bytes of a character`() throws {
        let bytes = Array("NOTE:sa".utf8) + [0xEC, 0x82] + Array("\r\n ".utf8) + [0xB0]
        #expect(try ContentLines.read(bytes).map(\.text) == ["sa산"])
        #expect(try lines("A:1\r\n\t2\nB:3\rC:4").map(\.value) == ["12", "3", "4"])
    }

    @Test func `a list of 64 values is split, and the last of more values holds the rest`() throws {
        let values = (1...65).map(String.init)
        let line = try #require(try lines("A:" + values.prefix(64).joined(separator: ",")).first)
        #expect(line.list == Array(values.prefix(64)))
        let longer = try #require(try lines("A:" + values.joined(separator: ",")).first)
        #expect(longer.list == values.prefix(63) + ["64,65"])
    }

    @Test func `names, groups, parameters and quotes are read`() throws {
        let read = try lines("item1.tel;type=CELL,voice;HOME;x=\"a:b;c\";y=a^nb^'^^:1:2;3")
        let line = try #require(read.first)
        #expect(line.name == "TEL")
        #expect(line.parameters["TYPE"] == ["CELL", "voice", "HOME"])
        #expect(line.parameters["X"] == ["a:b;c"])
        #expect(line.parameters["Y"] == ["a\nb\"^"])
        #expect(line.value == "1:2;3")
        #expect(try lines("no value\n:no name\nA\"B:1").map(\.name) == ["A\"B"])
    }

    @Test(arguments: 1...60 as ClosedRange<UInt64>)
    func `a text is the same after it was written and read`(seed: UInt64) throws {
        var random = Seeded(seed)
        let text = random.text(countMax: 120)
        let file = ContentLines.line("NOTE", ContentLines.escaped(text))
        #expect(try lines(file).first?.text == text)
    }

    @Test func `control characters are not written`() {
        #expect(ContentLines.escaped("a\u{0}b\u{7}\r\nc\r") == "ab\\nc\\n")
    }

    @Test func `a line that is no text is reported`() {
        #expect(throws: FormatFault.notText(line: 2)) {
            try ContentLines.read(Array("A:1\n".utf8) + [0x42, 0x3A, 0xFF])
        }
    }

    @Test func `200 000 lines are read and one more is not`() throws {
        let limit = FormatLimits.linesCountMax
        let most = [UInt8](repeating: UInt8(ascii: "\n"), count: limit)
        #expect(try ContentLines.read(most).isEmpty)
        #expect(throws: FormatFault.tooManyLines(limit: limit)) {
            try ContentLines.read(most + [UInt8(ascii: "\n")])
        }
    }

    @Test func `eight levels are read and nine are not`() throws {
        func nested(_ levels: Int) -> [UInt8] {
            Array(
                (String(repeating: "BEGIN:A\n", count: levels)
                    + String(repeating: "END:A\n", count: levels)).utf8)
        }
        #expect(try Component.read(nested(8)).count == 1)
        #expect(throws: FormatFault.tooDeep(limit: 8)) { try Component.read(nested(9)) }
    }

    @Test func `an end without a beginning is reported, and a missing end is not`() throws {
        #expect(throws: FormatFault.malformed(line: 1)) { try Component.read(Array("END:A".utf8)) }
        #expect(throws: FormatFault.malformed(line: 3)) {
            try Component.read(Array("BEGIN:A\nBEGIN:B\nEND:A".utf8))
        }
        let cut = try Component.read(Array("BEGIN:A\nX:1\nBEGIN:B\nY:2".utf8))
        #expect(cut.first?.line("X")?.value == "1")
        #expect(cut.first?.components.first?.line("Y")?.value == "2")
    }

    /// Both would take minutes if each line were joined by copying all before it.
    @Test func `long chains of continued lines cost no more than their bytes`() throws {
        let head = "NOTE;ENCODING=QUOTED-PRINTABLE:"
        let soft = head + String(repeating: "abcdefgh=\n", count: 100_000)
        #expect(try lines(soft).first?.value.utf8.count == 800_001)
        let folded = "NOTE:" + String(repeating: "abcdefgh\n ", count: 100_000)
        #expect(try lines(folded).first?.value.utf8.count == 800_000)
    }
}

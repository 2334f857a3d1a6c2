import QRCode
import Testing

/// Squares of texts, and how a terminal shows them.
struct QRCodeTests {
    @Test func `a code has the three corner marks, and nothing dark outside of its square`() throws
    {
        let code = try #require(QRCode("waggle:join/lusab-babad"))
        #expect(code.width >= 21 && (code.width - 21).isMultiple(of: 4))
        let last = code.width - 7
        for (row, column) in [(0, 0), (0, last), (last, 0)] {
            for index in 0..<7 {
                #expect(code.isDark(row: row, column: column + index))
                #expect(code.isDark(row: row + index, column: column))
            }
            #expect(!code.isDark(row: row + 1, column: column + 1))
            #expect(code.isDark(row: row + 3, column: column + 3))
        }
        #expect(!code.isDark(row: -1, column: 0))
        #expect(!code.isDark(row: 0, column: code.width))
        #expect(QRCode("waggle:join/lusab-babad") == code)
        #expect(QRCode("waggle:join/lusab-babaf") != code)
    }

    @Test func `a text of 512 bytes is encoded, and none, one byte more or a zero is not`() {
        #expect(QRCode(String(repeating: "a", count: 512)) != nil)
        #expect(QRCode(String(repeating: "a", count: 513)) == nil)
        #expect(QRCode("") == nil)
        #expect(QRCode("a\0b") == nil)
    }

    @Test func `a terminal's lines have a module for each column and two rows each`() throws {
        let code = try #require(QRCode("waggle"))
        let lines = code.halfBlocks.split(separator: "\n", omittingEmptySubsequences: false)
        let whole = code.width + 2 * QRCode.marginCount
        #expect(lines.count == (whole + 1) / 2)
        #expect(lines.allSatisfy { $0.count == whole })
        #expect(lines[0].allSatisfy { $0 == "█" })
        // The corner mark: a dark line above a light one inside a dark frame.
        let inside = Array(lines[QRCode.marginCount / 2])
        #expect(inside[QRCode.marginCount] == " ")
        #expect(inside[QRCode.marginCount + 1] == "▄")
    }
}

import Identity
import TestSupport
import Testing

@Suite struct RecoveryWordsTests {
    private func draw(_ seed: UInt64 = 71) -> RecoveryWords {
        var generator = SeededGenerator(seed: seed)
        return RecoveryWords(using: &generator)
    }

    @Test(arguments: 1...100 as ClosedRange<UInt64>)
    func `nine words of five letters give the same key again`(seed: UInt64) throws {
        let drawn = draw(seed)
        #expect(drawn.words.count == 9)
        #expect(drawn.words.allSatisfy { $0.count == 5 })
        let parsed = try RecoveryWords(parsing: drawn.words.joined(separator: " "))
        #expect(parsed == drawn)
        #expect(parsed.key.publicKey == drawn.key.publicKey)
    }

    @Test func `case, hyphens, line ends and missing spaces do not matter`() throws {
        let words = draw().words
        for text in [
            words.joined(separator: "-"), words.joined(separator: "\n"), words.joined(),
            "  " + words.joined(separator: " - ").uppercased() + "\t",
        ] {
            #expect(try RecoveryWords(parsing: text) == draw())
        }
    }

    @Test func `a misspelt word is reported with its position`() {
        var words = draw().words
        for (position, wrong) in [(1, "aaaaa"), (4, "lusa"), (9, "lusabb"), (5, "lüsab")] {
            words = draw().words
            words[position - 1] = wrong
            #expect(throws: RecoveryWords.Fault.notAWord(position: position, wrong)) {
                try RecoveryWords(parsing: words.joined(separator: " "))
            }
        }
    }

    @Test func `eight and ten words are refused because of their number`() {
        let words = draw().words
        #expect(throws: RecoveryWords.Fault.wrongCount(found: 8)) {
            try RecoveryWords(parsing: words.dropLast().joined(separator: " "))
        }
        #expect(throws: RecoveryWords.Fault.wrongCount(found: 10)) {
            try RecoveryWords(parsing: (words + ["lusab"]).joined(separator: " "))
        }
        #expect(throws: RecoveryWords.Fault.wrongCount(found: 0)) { try RecoveryWords(parsing: "") }
    }

    @Test func `a well-formed word in the wrong place is found by the checksum`() {
        for position in 0..<8 {
            var words = draw().words
            words[position] = words[position] == "lusab" ? "lusad" : "lusab"
            #expect(throws: RecoveryWords.Fault.checksumMismatch) {
                try RecoveryWords(parsing: words.joined(separator: " "))
            }
            words = draw().words
            words.swapAt(position, (position + 1) % 8)
            #expect(throws: RecoveryWords.Fault.checksumMismatch) {
                try RecoveryWords(parsing: words.joined(separator: " "))
            }
        }
    }

    @Test func `512 bytes are parsed and 513 are not`() throws {
        let words = draw().words.joined(separator: " ")
        let padding = RecoveryWords.textBytesMax - words.utf8.count
        #expect(
            try RecoveryWords(parsing: words + String(repeating: " ", count: padding)) == draw())
        #expect(throws: RecoveryWords.Fault.tooLong(limit: 512)) {
            try RecoveryWords(parsing: words + String(repeating: " ", count: padding + 1))
        }
    }

    @Test func `no description reveals the words`() {
        let text = String(describing: draw())
        #expect(draw().words.allSatisfy { !text.contains($0) })
    }
}

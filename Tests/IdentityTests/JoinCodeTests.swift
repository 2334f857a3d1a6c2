import Identity
import Records
import TestSupport
import Testing

/// The words of a joining code, and the proofs of two devices that know it.
struct JoinCodeTests {
    private func code(_ seed: UInt64) -> JoinCode {
        var generator = SeededGenerator(seed: seed)
        return JoinCode(using: &generator)
    }

    @Test func `a code is read as it is shown, with hyphens, spaces or nothing between words`()
        throws
    {
        for seed in 0..<50 as Range<UInt64> {
            let code = code(seed)
            #expect(code.words.count == 6)
            #expect(code.words.allSatisfy { $0.count == 5 })
            for text in [
                code.text, code.words.joined(), code.words.joined(separator: "  \n"),
                code.text.uppercased(),
            ] {
                #expect(try JoinCode(parsing: text) == code)
            }
        }
    }

    @Test func `a misspelt word is named by its place, and any other mistake by the check`()
        throws
    {
        let words = code(1).words
        for position in 1...6 {
            var wrong = words
            wrong[position - 1] = "lusax"
            #expect(throws: SpellingFault.notAWord(position: position, "lusax")) {
                try JoinCode(parsing: wrong.joined(separator: "-"))
            }
        }
        #expect(throws: SpellingFault.checksumMismatch) {
            try JoinCode(parsing: ([words[1], words[0]] + words[2...]).joined(separator: " "))
        }
        #expect(throws: SpellingFault.wrongCount(found: 5)) {
            try JoinCode(parsing: words.dropLast().joined(separator: " "))
        }
        #expect(throws: SpellingFault.wrongCount(found: 0)) { try JoinCode(parsing: "") }
        let limit = JoinCode.textBytesMax
        let longest = code(1).text + String(repeating: " ", count: limit - code(1).text.utf8.count)
        #expect(throws: Never.self) { try JoinCode(parsing: longest) }
        #expect(throws: SpellingFault.tooLong(limit: limit)) {
            try JoinCode(parsing: longest + " ")
        }
    }

    @Test func `a proof holds for its code, its role and its two devices only`() {
        let (one, other, third) = (DeviceKey().id, DeviceKey().id, DeviceKey().id)
        let key = code(1).key
        let proof = key.proof(of: .joiner, joiner: one, adder: other)
        #expect(key.isProof(proof, of: .joiner, joiner: one, adder: other))
        // Sent back, between the same devices the other way round, and to or from a third device.
        #expect(!key.isProof(proof, of: .adder, joiner: one, adder: other))
        #expect(!key.isProof(proof, of: .adder, joiner: other, adder: one))
        #expect(!key.isProof(proof, of: .joiner, joiner: other, adder: one))
        #expect(!key.isProof(proof, of: .joiner, joiner: one, adder: third))
        #expect(!key.isProof(proof, of: .joiner, joiner: third, adder: other))
        #expect(!code(2).key.isProof(proof, of: .joiner, joiner: one, adder: other))
        #expect(code(2).key.name != key.name)
        let check = key.checkCode(joiner: one, adder: other)
        #expect(check.count == 6 && check.allSatisfy(\.isWholeNumber))
        #expect(check != key.checkCode(joiner: third, adder: other))
    }
}

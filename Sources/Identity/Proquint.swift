/// Sixteen bits as a pronounceable word: consonant, vowel, consonant, vowel, consonant.
enum Proquint {
    private static let consonants = Array("bdfghjklmnprstvz")
    private static let vowels = Array("aiou")

    /// Returns the word of a value, highest bits first: 4, 2, 4, 2 and 4 bits per letter.
    static func spelling(of value: UInt16) -> String {
        String([
            consonants[Int(value >> 12)],
            vowels[Int(value >> 10 & 3)],
            consonants[Int(value >> 6 & 15)],
            vowels[Int(value >> 4 & 3)],
            consonants[Int(value & 15)],
        ])
    }

    /// Returns the value of a word in lower case, or nil if it is not such a word.
    static func value(_ word: String) -> UInt16? {
        guard word.count == 5 else { return nil }
        var value: UInt16 = 0
        for (position, letter) in word.enumerated() {
            let (letters, bitsCount) =
                position.isMultiple(of: 2) ? (consonants, UInt16(4)) : (vowels, UInt16(2))
            guard let index = letters.firstIndex(of: letter) else { return nil }
            value = value << bitsCount | UInt16(index)
        }
        return value
    }
}

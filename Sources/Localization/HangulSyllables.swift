/// The composition of Hangul, beyond that of Unicode.
package enum HangulSyllables {
    /// The first consonants of syllables that may also be the last, each with its number as the
    /// last one. The compatibility letters ㅀ and ㅄ become U+111A and U+1121 in NFKC.
    private static let finals: [UInt32: UInt32] = [
        0x1100: 1, 0x1101: 2, 0x1102: 4, 0x1103: 7, 0x1105: 8, 0x1106: 16, 0x1107: 17, 0x1109: 19,
        0x110a: 20, 0x110b: 21, 0x110c: 22, 0x110e: 23, 0x110f: 24, 0x1110: 25, 0x1111: 26,
        0x1112: 27, 0x111a: 15, 0x1121: 18,
    ]

    /// Whether a scalar is a letter of Hangul outside a syllable, in any of Unicode's blocks.
    package static func isSingleLetter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1100...0x11ff, 0x3131...0x318e, 0xa960...0xa97f, 0xd7b0...0xd7ff, 0xffa0...0xffdc:
            true
        default: false
        }
    }

    /// Returns a composed text (NFKC) in which each consonant that follows an open syllable is the
    /// last letter of it: "한강" for "하ᄂ강". Nil if the text has none.
    package static func closed(in text: String) -> String? {
        var scalars: [Unicode.Scalar] = []
        var hasClosed = false
        for scalar in text.unicodeScalars {
            if let open = scalars.last, let syllable = closing(open, with: scalar) {
                scalars[scalars.count - 1] = syllable
                hasClosed = true
            } else {
                scalars.append(scalar)
            }
        }
        return hasClosed ? String(String.UnicodeScalarView(scalars)) : nil
    }

    /// Returns an open syllable with a consonant as its last letter; nil if these are others.
    private static func closing(
        _ syllable: Unicode.Scalar, with consonant: Unicode.Scalar
    ) -> Unicode.Scalar? {
        guard (0xac00...0xd7a3).contains(syllable.value), (syllable.value - 0xac00) % 28 == 0,
            let final = finals[consonant.value]
        else { return nil }
        return Unicode.Scalar(syllable.value + final)
    }
}

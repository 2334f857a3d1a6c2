internal import Foundation

/// How texts and questions become what the full-text index compares: every two letters that stand
/// side by side in a word, so that a word is found by any two of its syllables, wherever they are.
enum SearchText {
    /// Letters of a question that are looked at; a longer one is cut.
    static let termsLettersMax = 256

    /// What a text is indexed by: for each word its pairs of letters in order, and its last letter.
    static func grams(_ text: String) -> String {
        words(text).flatMap { pairs(of: $0) + [String(String.UnicodeScalarView($0.suffix(1)))] }
            .joined(separator: " ")
    }

    /// The index's own question for texts that hold every word of this one, each anywhere within a
    /// word. One without a letter finds nothing.
    static func terms(_ question: String) -> String {
        var left = termsLettersMax
        var terms: [String] = []
        for word in words(question) where left > 0 {
            let letters = word.prefix(left)
            left -= letters.count
            terms.append(term(Array(letters)))
        }
        // No text has the empty phrase.
        return terms.isEmpty ? "\"\"" : terms.joined(separator: " AND ")
    }

    /// A word of one letter begins any pair, or is the last of its word.
    private static func term(_ word: [Unicode.Scalar]) -> String {
        let pairs = pairs(of: word)
        return pairs.isEmpty
            ? "\"\(String(String.UnicodeScalarView(word)))\" *"
            : "\"\(pairs.joined(separator: " "))\""
    }

    private static func pairs(of word: [Unicode.Scalar]) -> [String] {
        zip(word, word.dropFirst()).map { String(String.UnicodeScalarView([$0, $1])) }
    }

    /// The words of a text, folded: composed, in lower case, without marks. Syllables that were
    /// typed as single letters are the same as composed ones.
    private static func words(_ text: String) -> [[Unicode.Scalar]] {
        let isPlain = text.utf8.allSatisfy { $0 < 0x80 }
        let folded = (isPlain ? text : text.precomposedStringWithCanonicalMapping).lowercased()
        var words: [[Unicode.Scalar]] = [[]]
        for scalar in folded.unicodeScalars {
            switch kind(of: scalar) {
            case .letter: words[words.count - 1].append(scalar)
            case .mark: continue
            case .gap: if !words[words.count - 1].isEmpty { words.append([]) }
            }
        }
        return words.filter { !$0.isEmpty }
    }

    private enum Kind { case letter, mark, gap }

    /// Of ASCII only letters and digits may stand in a term: the index takes the rest for gaps, and
    /// some of it for its own signs.
    private static func kind(of scalar: Unicode.Scalar) -> Kind {
        if scalar.isASCII {
            return scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) ? .letter : .gap
        }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return .mark
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .spacingMark, .decimalNumber, .letterNumber, .otherNumber, .mathSymbol,
            .currencySymbol, .modifierSymbol, .otherSymbol:
            return .letter
        default: return .gap
        }
    }
}

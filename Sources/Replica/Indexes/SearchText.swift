internal import Foundation
internal import Localization

/// Converts texts and queries to the terms of the full-text index: every two adjacent letters of a
/// word, so that any two syllables of a word find it.
enum SearchText {
    /// The maximum number of letters used of a query; a longer one is cut.
    static let termsLettersMax = 256

    /// The rules by which texts become terms; raise it with every change of this file's results.
    private static let rules = 2

    /// The last scalar of the planes that contain assigned letters.
    private static let lastLetter: UInt32 = 0x3FFFF

    /// The version of the terms: the rules here, and the characters that the running Unicode tables
    /// know. An index made by another version cannot be changed, because a deletion must name the
    /// terms that were inserted. It must be made again.
    ///
    /// No call returns the version of the tables. So this is a hash over all assigned characters,
    /// each with its category and the version that added it. It is computed once per process.
    static let version: String = {
        let prime: UInt64 = 0x100_0000_01b3
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        // Each start of a node runs this a quarter of a million times, so it has no range or list.
        var value: UInt32 = 0
        while value <= lastLetter {
            if let properties = Unicode.Scalar(value)?.properties, let age = properties.age {
                let kind = kindNumber(of: properties.generalCategory)
                hash = (hash ^ UInt64(value)) &* prime
                hash = (hash ^ (UInt64(age.major) << 8 | UInt64(age.minor))) &* prime
                hash = (hash ^ UInt64(kind)) &* prime
            }
            value += 1
        }
        return "\(rules) \(String(hash, radix: 16))"
    }()

    private static func kindNumber(of category: Unicode.GeneralCategory) -> Int {
        switch kind(of: category) {
        case .letter: 0
        case .mark: 1
        case .gap: 2
        }
    }

    /// Returns the terms of a text: for each form of each word its pairs of letters in order, and
    /// its last letter.
    static func grams(_ text: String) -> String {
        words(text).flatMap(forms)
            .flatMap { pairs(of: $0) + [String(String.UnicodeScalarView($0.suffix(1)))] }
            .joined(separator: " ")
    }

    /// Returns the index's expression for texts that contain every word of a query, each anywhere
    /// within a word. A query without a letter finds nothing.
    static func terms(_ question: String) -> String {
        let terms = cut(words(question)).map { word in
            let terms = forms(of: Array(word)).map(term)
            return terms.count == 1 ? terms[0] : "(\(terms.joined(separator: " OR ")))"
        }
        // No text contains the empty phrase.
        return terms.isEmpty ? "\"\"" : terms.joined(separator: " AND ")
    }

    /// Cuts the words of a query after ``termsLettersMax`` letters.
    private static func cut(_ words: [[Unicode.Scalar]]) -> [ArraySlice<Unicode.Scalar>] {
        var left = termsLettersMax
        var kept: [ArraySlice<Unicode.Scalar>] = []
        for word in words where left > 0 {
            let letters = word.prefix(left)
            left -= letters.count
            kept.append(letters)
        }
        return kept
    }

    /// Whether the index finds a text by a query.
    static func finds(_ question: String, in text: String) -> Bool {
        let wanted = cut(words(question))
        guard !wanted.isEmpty else { return false }
        let words = words(text).flatMap(forms)
        return wanted.allSatisfy { part in
            forms(of: Array(part)).contains { form in words.contains { contains($0, form) } }
        }
    }

    private static func contains(_ word: [Unicode.Scalar], _ part: [Unicode.Scalar]) -> Bool {
        guard part.count <= word.count, let first = part.first else { return false }
        return (0...word.count - part.count).contains { start in
            word[start] == first && word[start...].starts(with: part)
        }
    }

    /// A word of one letter is the start of any pair, or the last letter of its word.
    private static func term(_ word: [Unicode.Scalar]) -> String {
        let pairs = pairs(of: word)
        return pairs.isEmpty
            ? "\"\(String(String.UnicodeScalarView(word)))\" *"
            : "\"\(pairs.joined(separator: " "))\""
    }

    private static func pairs(of word: [Unicode.Scalar]) -> [String] {
        zip(word, word.dropFirst()).map { String(String.UnicodeScalarView([$0, $1])) }
    }

    /// Returns the words of a text, folded: composed, in lower case, without marks. Syllables typed
    /// as single letters equal composed ones.
    private static func words(_ text: String) -> [[Unicode.Scalar]] {
        let isPlain = text.utf8.allSatisfy { $0 < 0x80 }
        let folded = (isPlain ? text : text.composed).lowercased()
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

    /// Returns a word as it is, and if it has single Hangul letters, also with those in syllables
    /// that can be: "하ㄴ강" is also "한강", and "바보ㅋㅋ" is still "바보".
    private static func forms(of word: [Unicode.Scalar]) -> [[Unicode.Scalar]] {
        guard word.contains(where: HangulSyllables.isSingleLetter) else { return [word] }
        let composed = String(String.UnicodeScalarView(word)).compatiblyComposed
        let closed = Array((HangulSyllables.closed(in: composed) ?? composed).unicodeScalars)
        return closed == word ? [word] : [word, closed]
    }

    private enum Kind { case letter, mark, gap }

    /// Only letters and digits of ASCII may be part of a term: the index treats the rest as gaps,
    /// and some of it as operators.
    private static func kind(of scalar: Unicode.Scalar) -> Kind {
        if scalar.isASCII {
            return scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) ? .letter : .gap
        }
        return kind(of: scalar.properties.generalCategory)
    }

    private static func kind(of category: Unicode.GeneralCategory) -> Kind {
        switch category {
        case .nonspacingMark, .enclosingMark, .format: .mark
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .spacingMark, .decimalNumber, .letterNumber, .otherNumber, .mathSymbol,
            .currencySymbol, .modifierSymbol, .otherSymbol:
            .letter
        default: .gap
        }
    }
}

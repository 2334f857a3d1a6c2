import Foundation

/// A piece of a phrase: digits, letters or a mark.
enum PhraseToken: Hashable {
    /// A number, and how many digits it was written with.
    case number(Int64, digits: Int)
    /// Letters, in lower case.
    case word(String)
    case mark(Character)

    /// Returns the pieces of a text, without spaces and commas; nil if a number is too long.
    static func all(in text: String) -> [PhraseToken]? {
        var tokens: [PhraseToken] = []
        let text = text.lowercased().precomposedStringWithCanonicalMapping
            .replacing("a.m.", with: "am").replacing("p.m.", with: "pm")
        var rest = text[...]
        while let first = rest.first {
            if first.isDigit {
                let digits = rest.prefix(while: \.isDigit)
                guard let number = Int64(digits) else { return nil }
                tokens.append(.number(number, digits: digits.count))
                rest = rest.dropFirst(digits.count)
            } else if first.isLetter {
                let letters = rest.prefix(while: \.isLetter)
                tokens += words(in: withoutParticle(String(letters)))
                rest = rest.dropFirst(letters.count)
            } else {
                if !first.isWhitespace, first != "," { tokens.append(.mark(first)) }
                rest = rest.dropFirst()
            }
        }
        return tokens
    }

    /// Returns a word, and the Korean "later" as a word of its own: 시간뒤 is 시간 뒤.
    private static func words(in word: String) -> [PhraseToken] {
        guard let end = word.last, ["뒤", "후"].contains(end), word.count > 1,
            PhraseWords.seconds(String(word.dropLast())) != nil
        else { return [.word(word)] }
        return [.word(String(word.dropLast())), .word(String(end))]
    }

    /// Returns a Korean word without the particle 에 ("at"), as in 6시에.
    private static func withoutParticle(_ word: String) -> String {
        word.count > 1 && word.hasSuffix("에") ? String(word.dropLast()) : word
    }
}

extension Character {
    fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
}

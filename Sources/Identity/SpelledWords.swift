internal import Records

/// Bytes as words of five letters, two bytes to a word, the last word being a check. People type
/// such words, so mistakes are found by their place.
enum SpelledWords {
    /// The number of letters of a word.
    static let lettersCount = 5

    /// Returns the words of an even number of bytes, in lower case.
    static func words(of bytes: [UInt8]) -> [String] {
        stride(from: 0, to: bytes.count - 1, by: 2).map { index in
            Proquint.spelling(of: UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1]))
        }
    }

    /// Reads words as a person types them: in upper or lower case, separated by spaces, line ends,
    /// hyphens or nothing. The check is left to the caller.
    /// - Throws: the first ``SpellingFault`` found, in the order length, number of words, each
    ///   word.
    static func bytes(
        of text: String, wordsCount: Int, textBytesMax: Int
    ) throws(SpellingFault) -> [UInt8] {
        guard text.utf8.count <= textBytesMax else { throw .tooLong(limit: textBytesMax) }
        var words = text.lowercased().split { $0.isWhitespace || $0 == "-" }.map(String.init)
        if words.count == 1, words[0].count == wordsCount * lettersCount {
            let letters = Array(words[0])
            words = stride(from: 0, to: letters.count, by: lettersCount).map {
                String(letters[$0..<$0 + lettersCount])
            }
        }
        guard words.count == wordsCount else { throw .wrongCount(found: words.count) }
        var bytes: [UInt8] = []
        for (index, word) in words.enumerated() {
            guard let value = Proquint.value(word) else {
                throw .notAWord(position: index + 1, word)
            }
            bytes.append(bigEndian: value)
        }
        return bytes
    }
}

/// The reason that typed words are not recovery words, or not a joining code.
public enum SpellingFault: Error, Equatable, Sendable {
    /// The text is longer than the limit, in bytes.
    case tooLong(limit: Int)
    /// There are more or fewer words than needed.
    case wrongCount(found: Int)
    /// The word at this position, counted from 1, is not a word of this spelling.
    case notAWord(position: Int, String)
    /// Each word is valid, but the checksum does not match.
    case checksumMismatch
}

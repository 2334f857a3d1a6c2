internal import Records

/// The recovery key as nine words of five letters, to be written down once.
///
/// A word encodes 16 bits as consonant, vowel, consonant, vowel, consonant (a proquint). Eight
/// words are the 128 bits of entropy, the ninth is a checksum over them. No word list is needed, so
/// the words are the same in every language. Show the words once and write them to no disk: this
/// type has no description, so that no log prints it by accident.
public struct RecoveryWords: Hashable, Sendable {
    private let entropy: Bytes16

    /// The number of words, including the checksum.
    public static let wordsCount = 9
    /// The number of letters of a word.
    public static let wordLettersCount = 5
    /// The longest text that is parsed, in bytes of UTF-8.
    public static let textBytesMax = 512

    /// Creates new words from a generator, which must be secure outside of tests.
    public init(using generator: inout some RandomNumberGenerator) {
        guard let entropy = Bytes16(RandomBytes.array(16, using: &generator)) else {
            preconditionFailure("the generator returned other than 16 bytes")
        }
        self.init(entropy: entropy)
    }

    /// Creates the words of 128 known bits.
    init(entropy: Bytes16) { self.entropy = entropy }

    /// The nine words in order, in lower case.
    public var words: [String] {
        let bytes = entropy.bytes + RecoveryWords.checksum(of: entropy)
        return stride(from: 0, to: bytes.count, by: 2).map { index in
            Proquint.spelling(of: UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1]))
        }
    }

    /// The key that the words encode.
    public var key: RecoveryKey { RecoveryKey(entropy: entropy) }

    /// Parses words as a person types them: in upper or lower case, separated by spaces, line ends,
    /// hyphens or nothing.
    /// - Throws: the first ``Fault`` found, in the order length, number of words, each word,
    ///   checksum.
    public init(parsing text: String) throws(Fault) {
        var bytes: [UInt8] = []
        for (index, word) in try RecoveryWords.split(text).enumerated() {
            guard let value = Proquint.value(word) else {
                throw .notAWord(position: index + 1, word)
            }
            bytes.append(bigEndian: value)
        }
        guard let entropy = Bytes16(bytes.prefix(16)) else {
            throw .wrongCount(found: bytes.count / 2)
        }
        guard Array(bytes.dropFirst(16)) == RecoveryWords.checksum(of: entropy) else {
            throw .checksumMismatch
        }
        self.init(entropy: entropy)
    }

    /// Splits a text into exactly nine words in lower case.
    private static func split(_ text: String) throws(Fault) -> [String] {
        guard text.utf8.count <= textBytesMax else { throw .tooLong(limit: textBytesMax) }
        var words = text.lowercased().split { $0.isWhitespace || $0 == "-" }.map(String.init)
        if words.count == 1, words[0].count == wordsCount * wordLettersCount {
            let letters = Array(words[0])
            words = stride(from: 0, to: letters.count, by: wordLettersCount).map {
                String(letters[$0..<$0 + wordLettersCount])
            }
        }
        guard words.count == wordsCount else { throw .wrongCount(found: words.count) }
        return words
    }

    /// Returns the first two bytes of the entropy's hash.
    private static func checksum(of entropy: Bytes16) -> [UInt8] {
        Array(Digest.recoveryCheck.hash(entropy.bytes).bytes.prefix(2))
    }

    /// The reason that typed words are not recovery words.
    public enum Fault: Error, Equatable, Sendable {
        /// The text is longer than the limit, in bytes.
        case tooLong(limit: Int)
        /// There are more or fewer than nine words.
        case wrongCount(found: Int)
        /// The word at this position, counted from 1, is not a recovery word.
        case notAWord(position: Int, String)
        /// Each word is valid, but the checksum does not match.
        case checksumMismatch
    }
}

extension RecoveryWords.Fault: CustomStringConvertible {
    /// A sentence for people.
    public var description: String {
        switch self {
        case .tooLong(let limit): "the text has more than \(limit) bytes; type only the nine words"
        case .wrongCount(let found): "nine recovery words are needed; you typed \(found)"
        case .notAWord(let position, let word):
            "word \(position), “\(word)”, is misspelt: each word has five letters, like “lusab”"
        case .checksumMismatch:
            "one of the words is wrong: compare them with your note"
        }
    }
}

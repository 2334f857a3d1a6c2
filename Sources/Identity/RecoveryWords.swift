internal import Records

/// The recovery key as nine words of five letters that one writes down once.
///
/// A word spells 16 bits as consonant, vowel, consonant, vowel, consonant (a proquint): eight
/// words are the 128 bits of entropy, the ninth is a checksum over them. That needs no list of
/// words, so it is the same in every language. Show the words once and keep them on no disk: this
/// type has no description, so that no log prints it by accident.
public struct RecoveryWords: Hashable, Sendable {
    private let entropy: Bytes16

    /// Words there are, the checksum's included.
    public static let wordsCount = 9
    /// Letters of one word.
    public static let wordLettersCount = 5
    /// Typed text longer than this is not looked at, in bytes of UTF-8.
    public static let textBytesMax = 512

    /// Draws new words from a generator, which must be secure outside of tests.
    public init(using generator: inout some RandomNumberGenerator) {
        guard let entropy = Bytes16(RandomBytes.array(16, using: &generator)) else {
            preconditionFailure("16 bytes were drawn")
        }
        self.init(entropy: entropy)
    }

    /// The words of 128 known bits.
    init(entropy: Bytes16) { self.entropy = entropy }

    /// The nine words in order, in lower case.
    public var words: [String] {
        let bytes = entropy.bytes + RecoveryWords.checksum(of: entropy)
        return stride(from: 0, to: bytes.count, by: 2).map { index in
            Proquint.word(UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1]))
        }
    }

    /// The key that the words stand for.
    public var key: RecoveryKey { RecoveryKey(entropy: entropy) }

    /// Reads words as a person types them: upper or lower case, parted by spaces, line ends or
    /// hyphens, or by nothing at all.
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

    /// The words of a text in lower case, exactly nine of them.
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

    /// The first two bytes of the entropy's hash.
    private static func checksum(of entropy: Bytes16) -> [UInt8] {
        Array(Digest.recoveryCheck.hash(entropy.bytes).bytes.prefix(2))
    }

    /// Why typed words are not recovery words.
    public enum Fault: Error, Equatable, Sendable {
        /// The text is longer than nine words can be, in bytes.
        case tooLong(limit: Int)
        /// There are more or fewer than nine words.
        case wrongCount(found: Int)
        /// The word at this position, counted from 1, cannot be one of these words.
        case notAWord(position: Int, String)
        /// Each word could be right, but together they are not.
        case checksumMismatch
    }
}

extension RecoveryWords.Fault: CustomStringConvertible {
    public var description: String {
        switch self {
        case .tooLong(let limit): "only \(limit) bytes are looked at; type the nine words alone"
        case .wrongCount(let found): "there are nine recovery words; \(found) were typed"
        case .notAWord(let position, let word):
            "word \(position), “\(word)”, is misspelt: each has five letters, as in “lusab”"
        case .checksumMismatch:
            "each word could be right, but one of them is not: compare them with your note"
        }
    }
}

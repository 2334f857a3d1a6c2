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
    public static let wordLettersCount = SpelledWords.lettersCount
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
        SpelledWords.words(of: entropy.bytes + RecoveryWords.checksum(of: entropy))
    }

    /// The key that the words encode.
    public var key: RecoveryKey { RecoveryKey(entropy: entropy) }

    /// Parses words as a person types them: in upper or lower case, separated by spaces, line ends,
    /// hyphens or nothing.
    /// - Throws: the first ``Fault`` found, in the order length, number of words, each word,
    ///   checksum.
    public init(parsing text: String) throws(Fault) {
        let bytes = try SpelledWords.bytes(
            of: text, wordsCount: RecoveryWords.wordsCount, textBytesMax: RecoveryWords.textBytesMax
        )
        guard let entropy = Bytes16(bytes.prefix(16)) else {
            throw .wrongCount(found: bytes.count / 2)
        }
        guard Array(bytes.dropFirst(16)) == RecoveryWords.checksum(of: entropy) else {
            throw .checksumMismatch
        }
        self.init(entropy: entropy)
    }

    /// Returns the first two bytes of the entropy's hash.
    private static func checksum(of entropy: Bytes16) -> [UInt8] {
        Array(Digest.recoveryCheck.hash(entropy.bytes).bytes.prefix(2))
    }

    /// The reason that typed words are not recovery words.
    public typealias Fault = SpellingFault
}

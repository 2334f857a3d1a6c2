internal import Records

/// A code that one device shows and another types, so that the second becomes a device of the
/// first's person: 80 random bits and a check, as six words of five letters.
///
/// ```swift
/// let code = JoinCode(using: &generator)
/// code.text                                  // "lusab-babad-gutih-tugad-mudof-sakat"
/// let key = try JoinCode(parsing: typed).key
/// key.proof(of: .joiner, joiner: mine, adder: theirs)
/// ```
/// It is valid once and for a few minutes, so 80 bits are enough: whoever overhears a proof would
/// have to try 2^79 codes in that time. The type has no description, so that no log prints it.
public struct JoinCode: Hashable, Sendable {
    /// The 80 random bits.
    let secret: [UInt8]

    /// The number of words, including the check.
    public static let wordsCount = 6
    /// The length of the secret, in bytes.
    static let secretBytesCount = 10
    /// The longest text that is parsed, in bytes of UTF-8.
    public static let textBytesMax = 256
    /// The time for which a code is valid.
    public static let validFor: Duration = .seconds(300)
    /// The number of wrong proofs that end a code.
    public static let wrongProofsMax = 3

    /// Creates a new code from a generator, which must be secure outside of tests.
    public init(using generator: inout some RandomNumberGenerator) {
        secret = RandomBytes.array(JoinCode.secretBytesCount, using: &generator)
    }

    /// The six words in order, in lower case.
    public var words: [String] { SpelledWords.words(of: secret + JoinCode.check(of: secret)) }

    /// The six words with hyphens between them: one word on a command line.
    public var text: String { words.joined(separator: "-") }

    /// The key and the name that the code gives.
    public var key: JoinKey { JoinKey(secret: secret) }

    /// Parses a code as a person types it: in upper or lower case, separated by spaces, line ends,
    /// hyphens or nothing.
    /// - Throws: the first ``SpellingFault`` found, in the order length, number of words, each
    ///   word, check.
    public init(parsing text: String) throws(SpellingFault) {
        let bytes = try SpelledWords.bytes(
            of: text, wordsCount: JoinCode.wordsCount, textBytesMax: JoinCode.textBytesMax)
        secret = Array(bytes.prefix(JoinCode.secretBytesCount))
        guard Array(bytes.dropFirst(JoinCode.secretBytesCount)) == JoinCode.check(of: secret) else {
            throw .checksumMismatch
        }
    }

    /// Returns the first two bytes of the secret's hash.
    private static func check(of secret: [UInt8]) -> [UInt8] {
        Array(Digest.joinCheck.hash(secret).bytes.prefix(2))
    }
}

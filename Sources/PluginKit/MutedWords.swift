internal import Contract
internal import Records

/// The words that this person muted. What contains one of them is left out wherever others wrote
/// it: posts and comments, nicknames, wishes and reviews.
///
/// ```swift
/// let muted = try await context.replica.mutedWords()
/// let shown = comments.filter { !muted.matches($0.text) }
/// ```
/// A word is found within longer ones too, in capital or small letters, in wide or narrow ones, and
/// whether Hangul is written in syllables or in letters. Characters that draw nothing do not count.
public struct MutedWords: Hashable, Sendable {
    private let words: Set<[UInt8]>

    /// Creates the value from words in any form; words of which nothing is visible are ignored.
    public init(_ words: some Sequence<String> = []) {
        self.words = Set(words.lazy.flatMap(Self.forms(of:)).filter { !$0.isEmpty })
    }

    /// The form in which words and texts are compared: visible characters, composed (NFKC), and in
    /// small letters.
    ///
    /// Only characters beyond ASCII and composed Hangul are composed, each run of them with the
    /// character before it, since lists compare the texts of hundreds of posts.
    public static func folded(_ text: String) -> String {
        var folded = String.UnicodeScalarView()
        var run = String.UnicodeScalarView()
        func endRun() {
            guard !run.isEmpty else { return }
            folded.append(contentsOf: String(run).compatiblyComposed.lowercased().unicodeScalars)
            run.removeAll()
        }
        for scalar in text.unicodeScalars {
            if let plain = plain(scalar) {
                endRun()
                folded.append(plain)
            } else if !scalar.properties.isDefaultIgnorableCodePoint {
                if run.isEmpty, let before = folded.popLast() { run.append(before) }
                run.append(scalar)
            }
        }
        endRun()
        return String(folded)
    }

    /// Returns a character of ASCII in small letters, or a composed syllable; nil for others.
    private static func plain(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar.value {
        case 0x41...0x5a: Unicode.Scalar(scalar.value + 0x20)
        case 0..<0x80, 0xac00...0xd7a3: scalar
        default: nil
        }
    }

    /// Whether a text contains one of the words.
    public func matches(_ text: String) -> Bool {
        guard !words.isEmpty else { return false }
        return Self.forms(of: text).contains { form in
            words.contains { Self.contains(form, $0) }
        }
    }

    /// Returns the bytes of ``folded(_:)``, and if the text has Hangul consonants that may be the
    /// last letter of the syllable before them, those with such syllables too. For example, "하ㄴ강"
    /// is also "한강", and "바보ㅋㅋ" is still "바보".
    private static func forms(of text: String) -> [[UInt8]] {
        if let plain = plainBytes(text) { return [plain] }
        let folded = folded(text)
        return [folded, HangulSyllables.closed(in: folded)].compactMap { $0.map { Array($0.utf8) } }
    }

    /// Returns the bytes of a folded text of ASCII and composed Hangul, as most are; nil for other
    /// texts.
    private static func plainBytes(_ text: String) -> [UInt8]? {
        var bytes = Array(text.utf8)
        for index in bytes.indices {
            switch bytes[index] {
            case 0x41...0x5a: bytes[index] += 0x20
            // ASCII, the later bytes of a character, and the syllables from U+B000 to U+CFFF.
            case ..<0xc0, 0xeb, 0xec: continue
            // The syllables before them, from U+AC00, and those after them, to U+D7A3.
            case 0xea where bytes[index + 1] >= 0xb0: continue
            case 0xed where (bytes[index + 1], bytes[index + 2]) <= (0x9e, 0xa3): continue
            default: return nil
            }
        }
        return bytes
    }

    /// Returns a text, or nil if it contains one of the words.
    public func shown(_ text: String) -> String? { matches(text) ? nil : text }

    private static func contains(_ text: [UInt8], _ word: [UInt8]) -> Bool {
        guard let first = word.first, word.count <= text.count else { return false }
        let lastStart = text.count - word.count
        var start = 0
        while start <= lastStart,
            let found = text[start...lastStart].firstIndex(of: first)
        {
            if text[found..<found + word.count].elementsEqual(word) { return true }
            start = found + 1
        }
        return false
    }
}

extension ReplicaAccess {
    /// Returns the words that this person muted, on any of their devices.
    public func mutedWords() async throws -> MutedWords {
        MutedWords(
            try await rows("SELECT word FROM \(SharedViews.mutedWords)").compactMap {
                $0.text("word")
            })
    }
}

internal import Foundation
internal import Records

/// The words that this person muted. What contains one of them is left out wherever others wrote
/// it: posts and comments, nicknames, wishes and reviews.
///
/// ```swift
/// let muted = try await context.replica.mutedWords()
/// let shown = comments.filter { !muted.matches($0.text) }
/// ```
/// A word is found within longer ones too, and in capital or small letters.
public struct MutedWords: Hashable, Sendable {
    private let words: [[UInt8]]

    /// Creates the value from words in any form; empty words are ignored.
    public init(_ words: some Sequence<String> = []) {
        self.words = words.map { Array(Self.folded($0).utf8) }.filter { !$0.isEmpty }
    }

    /// The form in which words and texts are compared: composed, and in small letters.
    public static func folded(_ text: String) -> String {
        text.precomposedStringWithCanonicalMapping.lowercased()
    }

    /// Whether a text contains one of the words.
    public func matches(_ text: String) -> Bool {
        guard !words.isEmpty else { return false }
        let text = Self.foldedBytes(text)
        return words.contains { Self.contains(text, $0) }
    }

    /// Returns the bytes of ``folded(_:)``. Lists compare the texts of hundreds of posts, most of
    /// them in ASCII and composed Hangul, which need neither composing nor other small letters.
    private static func foldedBytes(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x41...0x5a: bytes.append(UInt8(scalar.value) + 0x20)
            case 0..<0x80: bytes.append(UInt8(scalar.value))
            case 0xac00...0xd7a3: bytes.append(contentsOf: UTF8.encode(scalar) ?? .init())
            default: return Array(folded(text).utf8)
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

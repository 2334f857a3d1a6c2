import Files
import Foundation

/// The recovery words of a new person, in a file that only its owner may read, until the person has
/// confirmed that they wrote them down.
///
/// Closing the window before that loses nothing: the words are shown again, and the user's profile
/// reminds of them.
struct RecoveryWordsFile: Sendable {
    /// The path of the file.
    let path: String
    /// The longest file that is read, in bytes.
    static let bytesMax = 4096

    /// Keeps the words.
    /// - Throws: `POSIXError`.
    func keep(_ words: [String]) throws {
        try SafeFile.write(Array((words.joined(separator: " ") + "\n").utf8), to: path)
    }

    /// The words; nil if they were confirmed, or are not on this device.
    var words: [String]? {
        guard let bytes = FileManager.default.contents(atPath: path), bytes.count <= Self.bytesMax
        else { return nil }
        let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        return words.isEmpty ? nil : words.map(String.init)
    }

    /// Whether the words wait to be confirmed.
    var isWaiting: Bool { FileManager.default.fileExists(atPath: path) }

    /// Removes the words, because the person has confirmed them.
    func remove() {
        try? FileManager.default.removeItem(atPath: path)
    }
}

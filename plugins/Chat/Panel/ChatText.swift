import Contract
import Foundation

/// The spelling of times and texts of a chat.
enum ChatText {
    /// Characters of a text that a list shows.
    static let lineCharactersMax = 60

    /// Returns a time as the locale writes it.
    static func time(_ moment: Timestamp) -> String {
        let formatter = DateFormatter()
        formatter.dateStyle = .short
        formatter.timeStyle = .short
        return formatter.string(from: Date(moment))
    }

    /// Returns the text of a message, or words in its place if no part of it can be shown.
    static func shown(_ text: String) -> String {
        text.isEmpty ? "(nothing that can be shown)" : text
    }

    /// Returns a text on one line, cut to ``lineCharactersMax``.
    static func oneLine(_ text: String) -> String {
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        return line.count > lineCharactersMax
            ? line.prefix(lineCharactersMax - 1) + "…" : line
    }
}

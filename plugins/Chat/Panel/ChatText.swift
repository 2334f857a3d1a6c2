import Foundation

/// How times and texts of a chat are spelt.
enum ChatText {
    /// Characters of a text that a list shows.
    static let lineCharactersMax = 60

    /// A moment, in milliseconds since 1970, as the locale writes it.
    static func time(_ milliseconds: Int64) -> String {
        let formatter = DateFormatter()
        formatter.dateStyle = .short
        formatter.timeStyle = .short
        return formatter.string(
            from: Date(timeIntervalSince1970: Double(milliseconds) / 1000))
    }

    /// A text on one line, cut.
    static func oneLine(_ text: String) -> String {
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        return line.count > lineCharactersMax
            ? line.prefix(lineCharactersMax - 1) + "…" : line
    }
}

internal import Foundation

/// Times as recorded tracks and receivers write them.
enum Timestamp {
    /// A longer text is none, in characters.
    static let charactersMax = 64

    /// A time of ISO 8601 in milliseconds since 1970; nil for text that is none.
    static func milliseconds(_ text: String) -> Int64? {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard text.count <= charactersMax else { return nil }
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains("."))
        guard let date = try? style.parse(text) else { return nil }
        return Int64(exactly: (date.timeIntervalSince1970 * 1000).rounded())
    }
}

internal import Foundation

/// Parsing of times in recorded tracks and receivers' reports.
package enum RecordedTime {
    /// The length of the longest accepted text, in characters.
    static let charactersMax = 64

    /// Parses an ISO 8601 time; nil for other text and for a time out of range.
    package static func timestamp(_ text: String) -> Timestamp? {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard text.count <= charactersMax else { return nil }
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains("."))
        guard let date = try? style.parse(text) else { return nil }
        return timestamp(seconds: date.timeIntervalSince1970)
    }

    /// Converts seconds since 1970; nil if they are out of range.
    package static func timestamp(seconds: Double) -> Timestamp? {
        Int64(exactly: (seconds * 1000).rounded()).flatMap { Timestamp(exactly: $0) }
    }
}

internal import Foundation

/// Parsing of times in recorded tracks and receivers' reports.
package enum RecordedTime {
    /// The accepted times, from 1970 to the end of the year 9999, in milliseconds since 1970. Any
    /// difference of two of them fits an integer.
    static let range: ClosedRange<Int64> = 0...253_402_300_799_999
    /// The length of the longest accepted text, in characters.
    static let charactersMax = 64

    /// Parses an ISO 8601 time to milliseconds since 1970; nil for other text.
    package static func milliseconds(_ text: String) -> Int64? {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard text.count <= charactersMax else { return nil }
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains("."))
        guard let date = try? style.parse(text) else { return nil }
        return milliseconds(seconds: date.timeIntervalSince1970)
    }

    /// Converts seconds since 1970 to milliseconds; nil if they are out of range.
    package static func milliseconds(seconds: Double) -> Int64? {
        Int64(exactly: (seconds * 1000).rounded()).flatMap { range.contains($0) ? $0 : nil }
    }
}

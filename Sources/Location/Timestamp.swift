internal import Foundation

/// Times as recorded tracks and receivers write them.
package enum Timestamp {
    /// From 1970 to the end of the year 9999, in milliseconds since 1970: any two times differ by
    /// what an integer holds.
    static let range: ClosedRange<Int64> = 0...253_402_300_799_999
    /// A longer text is none, in characters.
    static let charactersMax = 64

    /// A time of ISO 8601 in milliseconds since 1970; nil for text that is none.
    package static func milliseconds(_ text: String) -> Int64? {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard text.count <= charactersMax else { return nil }
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains("."))
        guard let date = try? style.parse(text) else { return nil }
        return milliseconds(seconds: date.timeIntervalSince1970)
    }

    /// Seconds since 1970 in milliseconds; nil for what is out of range.
    package static func milliseconds(seconds: Double) -> Int64? {
        Int64(exactly: (seconds * 1000).rounded()).flatMap { range.contains($0) ? $0 : nil }
    }
}

/// Why a text is no JSON, and where.
public struct JSONFault: Error, Hashable, Sendable {
    /// The line of the first wrong byte; the first line is 1.
    public let line: Int
    /// The byte of the line that is wrong; the first is 1.
    public let column: Int
    /// What was found there and what was expected.
    public let problem: String

    /// The sentence for a person.
    public var sentence: String {
        "the JSON is wrong at line \(line), column \(column): \(problem)"
    }
}

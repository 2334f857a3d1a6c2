public import Contract

/// The reason why a text is not JSON, and the position of the first wrong byte.
public struct JSONFault: Error, Hashable, Sendable {
    /// The line of the first wrong byte; the first line is 1.
    public let line: Int
    /// The position in the line of the first wrong byte; the first is 1.
    public let column: Int
    /// The text found there and the text expected.
    public let problem: String

    /// The fault as a sentence for a person.
    public var sentence: Sentence {
        "the JSON is wrong at line \(line), column \(column): \(problem)"
    }
}

public import Contract

/// An interest in an answer: the word that commands read, the same in every language.
public struct InterestWord: ConstrainedText, Hashable, Sendable {
    /// The interest.
    public let interest: Interest

    /// Names an interest.
    public init(_ interest: Interest) { self.interest = interest }

    /// Reads a word.
    /// - Throws: ``CommandFault/usage(_:field:)`` if no interest has it.
    public init(_ text: String, field: String = "interest") throws(CommandFault) {
        guard let interest = Interest(rawValue: text) else {
            throw .usage("'\(field)' is no interest: '\(text)'", field: field)
        }
        self.interest = interest
    }

    /// The word.
    public var string: String { interest.rawValue }
    /// One short line.
    public static var schema: Schema { .text(.line(1...24)) }
    /// The first interest.
    public static var example: InterestWord { InterestWord(Interest.example) }
}

/// The kind of an inbox item: the noun of the commands that answer it, as in `walk`, or a word of
/// the node for one of its notices. The set is open, because each plugin adds its own kinds.
public struct InboxKind: ConstrainedText, Hashable, Sendable, ExpressibleByStringLiteral {
    /// The word.
    public let string: String

    /// The maximum number of UTF-8 bytes.
    public static let bytesMax = 32
    private static let rule = TextRule(characters: 1...bytesMax, bytesMax: bytesMax)

    /// Checks a kind.
    /// - Throws: ``CommandFault/usage(_:field:)`` with the rule that the word breaks.
    public init(_ text: String, field: String = "kind") throws(CommandFault) {
        string = try Self.rule.check(text, field: field)
    }

    /// Creates the kind that a program names; a wrong word is a mistake in the program.
    public init(stringLiteral word: StaticString) { self = Self.exampleText("\(word)") }

    /// One word within the limits.
    public static var schema: Schema { .text(.line(rule.characters)) }
    /// The kind of walk requests.
    public static var example: InboxKind { "walk" }
}

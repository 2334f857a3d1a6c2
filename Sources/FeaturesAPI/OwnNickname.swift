public import Contract

/// A nickname of one's own for a mate, by the rules of a ``Nickname``; an empty one means none.
public struct OwnNickname: ConstrainedText, Hashable, Sendable {
    /// The nickname, without white space at its ends.
    public let string: String

    private static let rule = TextRule(
        characters: 0...TextRule.nickname.characters.upperBound,
        bytesMax: TextRule.nickname.bytesMax)

    /// Checks a nickname.
    /// - Throws: ``CommandFault/usage(_:field:)`` with the rule that it breaks.
    public init(_ text: String, field: String = "as") throws(CommandFault) {
        string = try Self.rule.check(text, field: field)
    }

    private init(checked string: String) { self.string = string }

    /// One line within the limits.
    public static var schema: Schema { .text(.line(rule.characters)) }
    /// A nickname of one letter.
    public static var example: OwnNickname { OwnNickname(checked: "A") }
}

/// The request of `mates rename`.
public struct RenameMate: CommandRequest {
    /// The mate's name or key; six digits of a key are enough.
    public var person: NameOrKey
    /// The nickname; empty for the mate's own name.
    public var `as`: OwnNickname

    /// Creates the value.
    public init(person: NameOrKey, as nickname: OwnNickname) {
        self.person = person
        self.as = nickname
    }

    /// The help of each property.
    public static let help = [
        "person": "The person's name or key; six digits of a key are enough.",
        "as": "What you call them, 1 to 20 characters; \"\" for their own name.",
    ]
    /// The properties read by position.
    public static let positional = ["person"]
}

/// One line of text with at least `min` and at most `max` characters, as ``TextRule`` counts them.
/// White space at its ends is dropped.
///
///     struct CreateGroup: CommandRequest { var name: Text<1, 40> }
///     let request = CreateGroup(name: try Text("Sunday walkers"))
public struct Text<let min: Int, let max: Int>: Hashable, Sendable {
    /// The text, without white space at its ends.
    public let string: String

    /// Checks a text.
    /// - Throws: ``CommandFault/usage(_:field:)`` with the rule that the text breaks.
    public init(_ text: String, field: String = "text") throws(CommandFault) {
        string = try Self.rule.check(text, field: field)
    }

    /// Creates a text that this program computed, such as a cursor; one that breaks the rule is a
    /// mistake in the program.
    package init(computed text: String) {
        do { try self.init(text) } catch { preconditionFailure(error.sentence) }
    }

    /// The rule for the text.
    public static var rule: TextRule { TextRule(characters: min...max) }
}

/// A text from an earlier answer at which a request continues.
public typealias Cursor = Text<1, 200>

/// A text of one or more lines with at least `min` and at most `max` characters.
public struct Lines<let min: Int, let max: Int>: Hashable, Sendable {
    /// The text, without white space at its ends and with `\n` at each line's end.
    public let string: String

    /// Checks a text.
    /// - Throws: ``CommandFault/usage(_:field:)`` with the rule that the text breaks.
    public init(_ text: String, field: String = "text") throws(CommandFault) {
        string = try Self.rule.check(text, field: field)
    }

    /// The rule for the text.
    public static var rule: TextRule { TextRule(characters: min...max, hasLines: true) }
}

extension Text: ConstrainedText {
    /// One line within the limits.
    public static var schema: Schema { .text(.line(min...max)) }
    /// A line of the smallest admitted length.
    public static var example: Self {
        exampleText(String(repeating: "x", count: Swift.max(min, 1)))
    }
}

extension Lines: ConstrainedText {
    /// One or more lines within the limits.
    public static var schema: Schema { .text(.lines(min...max)) }
    /// A line of the smallest admitted length.
    public static var example: Self {
        exampleText(String(repeating: "x", count: Swift.max(min, 1)))
    }
}

/// A checked text that is a JSON string.
public protocol ConstrainedText: Codable, SchemaDescribing, CustomStringConvertible {
    /// The text.
    var string: String { get }
    /// Checks a text; the fault names the field.
    init(_ text: String, field: String) throws(CommandFault)
}

extension ConstrainedText {
    /// The text.
    public var description: String { string }

    /// Reads and checks the text.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        self = try Self(text, field: decoder.codingPath.first?.stringValue ?? "text")
    }

    /// Writes the text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(string)
    }

    /// Creates a value from a text that is known to be admitted.
    static func exampleText(_ text: String) -> Self {
        do { return try Self(text, field: "example") } catch {
            preconditionFailure("the example of \(Self.self) breaks its rule: \(error.sentence)")
        }
    }
}

/// A text in an answer, of at most `max` characters as a person counts them. It may be empty and
/// may have several lines: the rules for what someone may write are those of the request's type,
/// such as ``Text``, and of the node that stored it.
///
///     public struct Wave: Codable, Hashable, Sendable {
///         public var greeting: ShownText<50>
///
///         public init(greeting: String) { self.greeting = ShownText(clipping: greeting) }
///     }
///     #expect(wave.greeting == "Hello!")
///
/// A text within the limits stays as it is, byte for byte. A text of `max` characters may have up
/// to ``TextRule/scalarsPerCharacterMax`` times as many Unicode scalars, which JSON Schema counts.
public struct ShownText<let max: Int>: Hashable, Sendable {
    /// The text.
    public let string: String

    /// Creates a text, cut at the end if it is over a limit.
    public init(clipping text: String) {
        guard TextForm.shown(charactersMax: max).breach(in: text) != nil else {
            string = text
            return
        }
        // Cutting scalars at the end never adds a character.
        var kept = String.UnicodeScalarView()
        kept.append(
            contentsOf: text.prefix(max).unicodeScalars
                .prefix(max * TextRule.scalarsPerCharacterMax))
        string = String(kept)
    }

    /// Checks a text.
    /// - Throws: ``CommandFault/usage(_:field:)`` with the limit that the text exceeds.
    public init(_ text: String, field: String = "text") throws(CommandFault) {
        try Self.schema.check(.string(text), field: field)
        string = text
    }
}

extension ShownText: ConstrainedText, ExpressibleByStringLiteral {
    /// Any text within the limits.
    public static var schema: Schema { .text(.shown(charactersMax: max)) }
    /// The empty text.
    public static var example: Self { Self(clipping: "") }

    /// Creates a text that a program contains.
    public init(stringLiteral text: StaticString) { self.init(clipping: "\(text)") }

    /// Compares the text with a plain one.
    public static func == (one: Self, other: String) -> Bool { one.string == other }
}

extension Optional {
    /// Compares a text with a plain one; without a text the two differ.
    public static func == <let max: Int>(one: Self, other: String) -> Bool
    where Wrapped == ShownText<max> { one.map(\.string) == .some(other) }
}

extension Text {
    /// The text in an answer, with the same maximum.
    public typealias Shown = ShownText<max>
}

extension Lines {
    /// The text in an answer, with the same maximum.
    public typealias Shown = ShownText<max>
}

/// The path of a file or a directory. Linux accepts up to 4096 bytes.
public typealias ShownPath = ShownText<4096>
/// The address of a host, with or without a port.
public typealias NetworkAddress = Text<1, 300>

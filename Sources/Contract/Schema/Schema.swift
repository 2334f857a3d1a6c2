/// The shape of a JSON value and the limits on it.
///
/// A command's schema is derived from its request and answer types with ``Schema/of(_:)``. The
/// local API publishes it in OpenAPI, help and completion show it, and ``check(_:field:)``
/// enforces it, so a limit is declared once, in a type.
public indirect enum Schema: Hashable, Sendable {
    /// A JSON value of any shape.
    case any
    case boolean
    /// A whole number within a range.
    case integer(ClosedRange<Int64>)
    /// A number within a range, or any finite one.
    case number(ClosedRange<Double>?)
    case text(TextForm)
    /// A list with a number of elements within a range.
    case list(Schema, count: ClosedRange<Int>)
    /// An object with these members and no others, and at least `countMin` of them.
    case object([Member], countMin: Int = 0)
    /// An object with members of any name.
    case map(Schema)

    /// One member of an object.
    public struct Member: Hashable, Sendable {
        /// The name in JSON.
        public let name: String
        /// The shape of its value.
        public let schema: Schema
        /// Whether the object must have it.
        public let isRequired: Bool
        /// Whether its type names it in ``LeadingMembers/leadingMembers``.
        public let isLeading: Bool
        /// Its index in the ``DetailMembers/detailMembers`` of its type; nil if it is no detail.
        public let detailRank: Int?

        /// Declares a member.
        public init(
            _ name: String, _ schema: Schema, isRequired: Bool = true, isLeading: Bool = false,
            detailRank: Int? = nil
        ) {
            self.name = name
            self.schema = schema
            self.isRequired = isRequired
            self.isLeading = isLeading
            self.detailRank = detailRank
        }
    }

    /// A whole number without declared limits.
    public static let integer = Schema.integer(Int64.min...Int64.max)
    /// A text without declared limits.
    public static let text = Schema.text(.any)
    /// An object without members, for a command that reports only that it is done.
    public static let done = Schema.object([])

    /// Returns a list of at most ``listCountMax`` elements.
    public static func list(_ element: Schema) -> Schema { .list(element, count: 0...listCountMax) }

    /// The maximum number of elements in a list that declares no limit.
    public static let listCountMax = Int(Int32.max)

    /// The members of an object; none for any other shape.
    public var members: [Member] {
        if case .object(let members, _) = self { members } else { [] }
    }
}

/// The form of a text: its limits, and its admitted characters.
public enum TextForm: Hashable, Sendable {
    /// Any text.
    case any
    /// One line with a number of characters within a range, as ``TextRule`` counts them.
    case line(ClosedRange<Int>)
    /// One or more lines whose total number of characters is within a range.
    case lines(ClosedRange<Int>)
    /// Any text of at most this many characters, as an answer has it; see ``ShownText``.
    case shown(charactersMax: Int)
    /// Hexadecimal digits, their number within a range.
    case hexadecimal(ClosedRange<Int>)
    /// Decimal digits, their number within a range.
    case decimal(ClosedRange<Int>)
    /// One of these words.
    case choice([String])
    /// The absolute path of a file, without a zero byte, of at most ``pathBytesMax`` bytes. The
    /// command line also accepts a path relative to the current directory.
    case path

    /// The longest path in bytes, as in the system's calls (`PATH_MAX`, without its zero byte).
    public static let pathBytesMax = 4095
}

/// A type that states its schema, such as a constraint or an enumeration. The schema of a plain
/// `Codable` struct needs no such conformance: ``Schema/of(_:)`` derives it.
public protocol SchemaDescribing {
    /// The shape and the limits of a value of this type.
    static var schema: Schema { get }
    /// A value that the schema admits.
    static var example: Self { get }
}

/// One of a few words, declared as an enumeration of texts.
///
///     enum BlockReason: String, Choice { case spam, rude, other }
public protocol Choice: RawRepresentable<String>, CaseIterable, Codable, Hashable, Sendable,
    SchemaDescribing
{}

extension Choice {
    /// One of the enumeration's words.
    public static var schema: Schema { .text(.choice(allCases.map(\.rawValue))) }
    /// The first case.
    public static var example: Self {
        guard let first = allCases.first else { preconditionFailure("\(Self.self) has no case") }
        return first
    }
}

extension Bool: SchemaDescribing {
    /// A Boolean.
    public static var schema: Schema { .boolean }
    /// False.
    public static var example: Bool { false }
}

extension Int: SchemaDescribing {
    /// A whole number.
    public static var schema: Schema { .integer }
    /// Zero.
    public static var example: Int { 0 }
}

extension Int64: SchemaDescribing {
    /// A whole number.
    public static var schema: Schema { .integer }
    /// Zero.
    public static var example: Int64 { 0 }
}

extension Double: SchemaDescribing {
    /// Any finite number.
    public static var schema: Schema { .number(nil) }
    /// Zero.
    public static var example: Double { 0 }
}

extension String: SchemaDescribing {
    /// Any text.
    public static var schema: Schema { .text }
    /// The empty text.
    public static var example: String { "" }
}

extension JSONValue: SchemaDescribing {
    /// A value of any shape.
    public static var schema: Schema { .any }
    /// An empty object.
    public static var example: JSONValue { [:] }
}

extension Array: SchemaDescribing where Element: Decodable {
    /// A list of the element's shape.
    public static var schema: Schema { .list(.of(Element.self)) }
    /// The empty list.
    public static var example: [Element] { [] }
}

extension Dictionary: SchemaDescribing where Key == String, Value: Decodable {
    /// An object with members of any name and the value's shape.
    public static var schema: Schema { .map(.of(Value.self)) }
    /// The empty object.
    public static var example: [String: Value] { [:] }
}

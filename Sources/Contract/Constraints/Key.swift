/// The whole key of a person, a device, a space or a group: 64 hexadecimal digits in lower case.
public struct Key: ConstrainedText, Hashable, Comparable, Sendable {
    /// The digits.
    public let string: String

    /// Checks a key; capital digits become small ones.
    /// - Throws: ``CommandFault/usage(_:field:)``.
    public init(_ text: String, field: String = "key") throws(CommandFault) {
        try Self.schema.check(.string(text), field: field)
        string = text.lowercased()
    }

    /// Creates a key from the digits of an id.
    package init(digits: String) {
        precondition(digits.utf8.count == 64, "an id has as many digits")
        string = digits
    }

    /// 64 hexadecimal digits.
    public static var schema: Schema { .text(.hexadecimal(64...64)) }
    /// The key of zeros.
    public static var example: Key { exampleText(String(repeating: "0", count: 64)) }

    /// Compares the digits in order.
    public static func < (one: Key, other: Key) -> Bool { one.string < other.string }
}

/// The id of a record, such as a message or a walk request: 32 hexadecimal digits in lower case.
public struct RecordKey: ConstrainedText, Hashable, Comparable, Sendable {
    /// The digits.
    public let string: String

    /// Checks an id; capital digits become small ones.
    /// - Throws: ``CommandFault/usage(_:field:)``.
    public init(_ text: String, field: String = "id") throws(CommandFault) {
        try Self.schema.check(.string(text), field: field)
        string = text.lowercased()
    }

    /// Creates a record's key from the digits of an id.
    package init(digits: String) {
        precondition(digits.utf8.count == 32, "an id has as many digits")
        string = digits
    }

    /// 32 hexadecimal digits.
    public static var schema: Schema { .text(.hexadecimal(32...32)) }
    /// The id of zeros.
    public static var example: RecordKey { exampleText(String(repeating: "0", count: 32)) }

    /// Compares the digits in order.
    public static func < (one: RecordKey, other: RecordKey) -> Bool { one.string < other.string }
}

/// A whole key, or at least its first six digits. Most commands name people, devices and spaces in
/// this way. A parameter of the type ``RecordKey``, as for messages and walk requests, or of the
/// type ``Key`` needs all digits.
///
///     let prefix = try KeyPrefix("3fa9c1", field: "with")
///     let mate = try prefix.resolve(among: mates, what: "mate", listedBy: "mates list")
public struct KeyPrefix: ConstrainedText, Hashable, Sendable {
    /// The digits in lower case.
    public let string: String
    /// The name of the parameter that was given; faults name it.
    public let field: String

    /// The minimum number of digits that can name a key.
    public static let digitsMin = 6

    /// Checks a prefix; capital digits become small ones.
    /// - Throws: ``CommandFault/usage(_:field:)``.
    public init(_ text: String, field: String = "key") throws(CommandFault) {
        try Self.schema.check(.string(text), field: field)
        string = text.lowercased()
        self.field = field
    }

    /// Creates a prefix that is a whole key.
    public init(_ key: Key) {
        string = key.string
        field = "key"
    }

    /// Whether the digits are equal, even if they were given in different parameters.
    public static func == (one: KeyPrefix, other: KeyPrefix) -> Bool { one.string == other.string }

    /// Hashes the digits.
    public func hash(into hasher: inout Hasher) { hasher.combine(string) }

    /// 6 to 64 hexadecimal digits.
    public static var schema: Schema { .text(.hexadecimal(digitsMin...64)) }
    /// Six zeros.
    public static var example: KeyPrefix { exampleText("000000") }

    /// Whether a key, given as an id or as its digits, begins with these digits.
    public func matches(_ key: some CustomStringConvertible) -> Bool {
        key.description.hasPrefix(string)
    }

    /// Returns the one candidate whose key begins with these digits.
    /// - Parameters:
    ///   - candidates: the possible meanings; a repeated one counts once. The text of each is its
    ///     key in hexadecimal digits.
    ///   - what: the noun for one of them, as in "mate".
    ///   - list: the command that lists them, as in "mates list".
    /// - Throws: ``CommandFault/notFound(_:)`` if there is none, ``CommandFault/conflict(_:)`` if
    ///   several keys begin with these digits.
    public func resolve<Candidate: Hashable & CustomStringConvertible>(
        among candidates: some Sequence<Candidate>, what: String, listedBy list: String
    ) throws(CommandFault) -> Candidate {
        let matches = Set(candidates.filter(matches))
        guard let match = matches.first else {
            throw .notFound("There is no \(what) \(string); see '\(list)'.")
        }
        guard matches.count == 1 else {
            throw .conflict("Several begin with \(string); give more digits of the \(what)'s key.")
        }
        return match
    }
}

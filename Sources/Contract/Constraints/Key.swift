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

/// A record, such as a message or a walk request, as someone names it: by its whole id, or by the
/// first six digits or more.
///
///     let prefix = try RecordPrefix("1b5d2e", field: "id")
///     let message = try prefix.onlyMatch(
///         in: messages, of: "message", listedBy: "chat open")
public struct RecordPrefix: ConstrainedText, Hashable, Sendable {
    /// The digits, in lower case.
    public let string: String

    private static let digitsCount = NameOrKey.digitsMin...32

    /// Checks the digits; capital ones become small ones.
    /// - Throws: ``CommandFault/usage(_:field:)``.
    public init(_ text: String, field: String = "id") throws(CommandFault) {
        try Self.schema.check(.string(text), field: field)
        string = text.lowercased()
    }

    /// Creates the prefix that is a whole id.
    public init(_ id: RecordKey) { string = id.string }

    /// 6 to 32 hexadecimal digits.
    public static var schema: Schema { .text(.hexadecimal(digitsCount)) }
    /// Six zeros.
    public static var example: RecordPrefix { exampleText("000000") }

    /// The first and the last of the ids that begin with these digits.
    public var ids: ClosedRange<RecordKey> {
        func filled(with digit: Character) -> RecordKey {
            let rest = Self.digitsCount.upperBound - string.utf8.count
            return RecordKey(digits: string + String(repeating: digit, count: rest))
        }
        return filled(with: "0")...filled(with: "f")
    }

    /// Returns the one record that was found among ``ids``.
    /// - Parameters:
    ///   - found: the records whose ids begin with these digits, or two of them.
    ///   - noun: the noun for one of them, as in "message".
    ///   - list: the command that lists them, as in "chat open".
    /// - Throws: ``CommandFault/notFound(_:)`` if there is none, ``CommandFault/conflict(_:)`` if
    ///   there are several.
    public func onlyMatch<Record>(
        in found: [Record], of noun: Sentence, listedBy list: String
    ) throws(CommandFault) -> Record {
        guard let match = found.first else {
            throw .notFound("There is no \(noun) \(string); see '\(list)'.")
        }
        guard found.count == 1 else {
            throw .conflict("Several begin with \(string); give more digits of the \(noun)'s id.")
        }
        return match
    }
}

/// A person, a group or a promise as someone names it: by its name, its whole key, or at least the
/// first six digits of the key. What has no name, such as a space, is named by its key alone.
/// A parameter of the type ``RecordPrefix``, as for messages and walk requests, has digits alone.
///
///     let named = try NameOrKey("Ann", field: "with")
///     let mate = try named.resolve(
///         among: mates.keys, named: { mates[$0] }, what: "mate", listedBy: "mates list")
///
/// Digits that begin a key mean that key, whatever anyone is called, so nobody can take another's
/// place by a nickname.
public struct NameOrKey: ConstrainedText, Hashable, Sendable {
    /// The words, without white space at their ends; digits of a key in lower case.
    public let string: String
    /// The name of the parameter that was given; faults name it.
    public let field: String

    /// The minimum number of digits that can name a key.
    public static let digitsMin = 6
    private static let rule = TextRule(characters: 1...64)

    /// Checks the words.
    /// - Throws: ``CommandFault/usage(_:field:)`` with the rule that they break.
    public init(_ text: String, field: String = "name") throws(CommandFault) {
        let words = try Self.rule.check(text, field: field)
        string = words.mayBeKey ? words.lowercased() : words
        self.field = field
    }

    /// Creates the name of what has this whole key.
    public init(_ key: Key) {
        string = key.string
        field = "key"
    }

    /// Creates the name of the device that announces this tag.
    public init(_ tag: AnnouncedTag) {
        string = tag.string
        field = "tag"
    }

    /// Whether the words are equal, even if they were given in different parameters.
    public static func == (one: NameOrKey, other: NameOrKey) -> Bool { one.string == other.string }

    /// Hashes the words.
    public func hash(into hasher: inout Hasher) { hasher.combine(string) }

    /// One line of 1 to 64 characters.
    public static var schema: Schema { .text(.line(rule.characters)) }
    /// Six zeros.
    public static var example: NameOrKey { exampleText("000000") }

    /// Whether a key, given as an id or as its digits, begins with these digits.
    public func matches(key: some CustomStringConvertible) -> Bool {
        string.mayBeKey && key.description.hasPrefix(string)
    }

    /// Whether something is called so, in upper or lower case.
    public func matches(name: String) -> Bool { name.lowercased() == string.lowercased() }

    /// Whether a name matches, with or without the key digits that lists append to unverified
    /// names, as in "Ann · 3fa2c1".
    public func matches(name: String, of key: some CustomStringConvertible) -> Bool {
        matches(name: name) || Self.plain(name, of: key).map(matches(name:)) ?? false
    }

    /// Returns a name without the digits of its key behind it; nil if there are none.
    private static func plain(_ name: String, of key: some CustomStringConvertible) -> String? {
        let digits = " · \(key.description.prefix(digitsMin))"
        return name.hasSuffix(digits) ? String(name.dropLast(digits.count)) : nil
    }

    /// Returns the one candidate whose key begins with these digits, or else the one of this name.
    /// Names are compared without these digits only if no name matches exactly.
    /// - Parameters:
    ///   - candidates: the possible meanings; a repeated one counts once. The text of each is its
    ///     key in hexadecimal digits.
    ///   - name: returns the name of a candidate, if it has one.
    ///   - what: the noun for one of them, as in "mate".
    ///   - list: the command that lists them, as in "mates list".
    /// - Throws: ``CommandFault/notFound(_:)`` if there is none, ``CommandFault/conflict(_:)`` if
    ///   several keys begin with these digits, or several have this name.
    public func resolve<Candidate: Hashable & CustomStringConvertible>(
        among candidates: some Sequence<Candidate>,
        named name: (Candidate) -> String? = { _ in nil },
        what: Sentence, listedBy list: String
    ) throws(CommandFault) -> Candidate {
        let candidates = Set(candidates)
        let withKey = candidates.filter(matches(key:))
        if let match = withKey.first {
            guard withKey.count == 1 else {
                throw .conflict(
                    "Several begin with \(string); give more digits of the \(what)'s key.")
            }
            return match
        }
        let called = candidates.filter { name($0).map(matches(name:)) ?? false }
        let withName =
            called.isEmpty
            ? candidates.filter { key in name(key).map { matches(name: $0, of: key) } ?? false }
            : called
        guard let match = withName.first else {
            throw .notFound("There is no \(what) \(string); see '\(list)'.")
        }
        guard withName.count == 1 else {
            throw .conflict(
                "Several are called \(string); name the \(what) by key, which '\(list)' shows.")
        }
        return match
    }
}

extension String {
    /// Whether it may be a key or the first digits of one.
    fileprivate var mayBeKey: Bool {
        (NameOrKey.digitsMin...64).contains(utf8.count)
            && utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
    }
}

/// The digest of a space: 32 hexadecimal digits.
public struct DigestDigits: ConstrainedText, Hashable, Sendable {
    /// The digits.
    public let string: String

    /// Checks the digits.
    /// - Throws: ``CommandFault/usage(_:field:)``.
    public init(_ text: String, field: String = "digest") throws(CommandFault) {
        try Self.schema.check(.string(text), field: field)
        string = text
    }

    /// Creates a digest from the digits of its 16 bytes.
    package init(digits: String) {
        precondition(digits.utf8.count == 32, "a digest has as many digits")
        string = digits
    }

    /// 32 hexadecimal digits.
    public static var schema: Schema { .text(.hexadecimal(32...32)) }
    /// The digest of zeros.
    public static var example: DigestDigits {
        DigestDigits(digits: String(repeating: "0", count: 32))
    }
}

/// The first six digits of a key, which tell people or devices of one name apart.
public struct KeySuffix: ConstrainedText, Hashable, Sendable {
    /// The digits.
    public let string: String

    /// The number of digits.
    public static let digitsCount = NameOrKey.digitsMin

    /// Checks the digits; capital ones become small.
    /// - Throws: ``CommandFault/usage(_:field:)``.
    public init(_ text: String, field: String = "suffix") throws(CommandFault) {
        try Self.schema.check(.string(text), field: field)
        string = text.lowercased()
    }

    /// Creates the suffix of a key.
    public init(_ key: Key) { string = String(key.string.prefix(Self.digitsCount)) }

    /// Six hexadecimal digits.
    public static var schema: Schema { .text(.hexadecimal(digitsCount...digitsCount)) }
    /// The suffix of the key of zeros.
    public static var example: KeySuffix { KeySuffix(.example) }
}

/// The code that two people compare to know that their devices talk to each other: six decimal
/// digits.
public struct CheckCode: ConstrainedText, Hashable, Sendable {
    /// The digits.
    public let string: String

    /// Checks the digits.
    /// - Throws: ``CommandFault/usage(_:field:)``.
    public init(_ text: String, field: String = "code") throws(CommandFault) {
        try Self.schema.check(.string(text), field: field)
        string = text
    }

    /// Creates a code from six digits that this program computed.
    package init(digits: String) {
        precondition(digits.utf8.count == 6, "a check code has as many digits")
        string = digits
    }

    /// Six decimal digits.
    public static var schema: Schema { .text(.decimal(6...6)) }
    /// The code of zeros.
    public static var example: CheckCode { CheckCode(digits: "000000") }
}

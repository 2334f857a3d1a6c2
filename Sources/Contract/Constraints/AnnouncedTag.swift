/// The tag that a device nearby announces before it is linked: 16 hexadecimal digits, which change
/// every hour.
public struct AnnouncedTag: ConstrainedText, Hashable, Sendable {
    /// The digits.
    public let string: String

    private static let digitsCount = 16

    /// Checks the digits; capital ones become small.
    /// - Throws: ``CommandFault/usage(_:field:)``.
    public init(_ text: String, field: String = "tag") throws(CommandFault) {
        try Self.schema.check(.string(text), field: field)
        string = text.lowercased()
    }

    /// Creates a tag from the digits of its 8 bytes.
    package init(digits: String) {
        precondition(digits.utf8.count == Self.digitsCount, "a tag has as many digits")
        string = digits
    }

    /// 16 hexadecimal digits.
    public static var schema: Schema { .text(.hexadecimal(digitsCount...digitsCount)) }
    /// The tag of zeros.
    public static var example: AnnouncedTag {
        AnnouncedTag(digits: String(repeating: "0", count: digitsCount))
    }
}

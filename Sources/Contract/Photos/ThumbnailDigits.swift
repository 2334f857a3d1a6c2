/// The bytes of a thumbnail in an answer: a JPEG in hexadecimal digits.
///
/// It may come from anyone, so a program that shows it decodes it in a worker process.
public struct ThumbnailDigits: ConstrainedText, Hashable, Sendable {
    /// The longest thumbnail, in bytes.
    public static let bytesMax = 8 * 1024

    /// The digits, in lower case.
    public let string: String

    /// Checks the digits; capital ones become small ones.
    /// - Throws: ``CommandFault/usage(_:field:)``.
    public init(_ text: String, field: String = "thumbnail") throws(CommandFault) {
        try Self.schema.check(.string(text), field: field)
        string = text.lowercased()
    }

    /// Writes a JPEG of at most ``bytesMax`` bytes; nil if it is longer.
    public init?(_ jpeg: [UInt8]) {
        guard jpeg.count <= Self.bytesMax else { return nil }
        let digits = Array("0123456789abcdef".utf8)
        string = String(
            decoding: jpeg.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// The JPEG; a last digit without another is left out.
    public var jpeg: [UInt8] {
        let digits = Array(string.utf8)
        return stride(from: 1, to: digits.count, by: 2).map {
            Self.value(digits[$0 - 1]) << 4 | Self.value(digits[$0])
        }
    }

    private static func value(_ digit: UInt8) -> UInt8 {
        digit <= UInt8(ascii: "9") ? digit & 15 : (digit & 15) &+ 9
    }

    /// Up to 16 384 hexadecimal digits.
    public static var schema: Schema { .text(.hexadecimal(0...(2 * bytesMax))) }
    /// No digits.
    public static var example: ThumbnailDigits { exampleText("") }
}

/// The opaque tag that a device announces: 8 bytes that change hourly and that only its mates can
/// recognise. The tag is computed outside of this module.
public struct DeviceTag: Hashable, Sendable, CustomStringConvertible {
    /// The length of a tag in bytes.
    public static let byteCount = 8

    private let bits: UInt64

    /// Creates a tag from exactly 8 bytes; nil for any other number.
    public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        bits = bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Creates a tag from exactly 16 lower-case hexadecimal digits; nil for anything else.
    public init?(hexadecimal text: some StringProtocol) {
        let digits = text.utf8
        guard digits.count == 2 * Self.byteCount, digits.allSatisfy(Self.isDigit),
            let bits = UInt64(text, radix: 16)
        else { return nil }
        self.bits = bits
    }

    /// The 8 bytes.
    public var bytes: [UInt8] {
        (0..<Self.byteCount).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * $0)) }
    }

    /// The 16 lower-case hexadecimal digits.
    public var description: String {
        let digits = String(bits, radix: 16)
        return String(repeating: "0", count: 2 * Self.byteCount - digits.utf8.count) + digits
    }

    /// The integer parser also accepts signs and capitals, which would give one tag several text
    /// forms.
    private static func isDigit(_ digit: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(digit)
    }
}

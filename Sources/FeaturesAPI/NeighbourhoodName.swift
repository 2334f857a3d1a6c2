public import Contract

/// The name of a neighbourhood, as a person typed it and as everybody's devices compare it.
///
/// Two names are one neighbourhood if their canonical forms are equal. So "Seongsu-Dong" and
/// " seongsu-dong " are the same, and so are 성수동 in composed and in decomposed letters.
public struct NeighbourhoodName: ConstrainedText, Sendable {
    /// The name to show: as it was typed, composed (NFC), without white space at its ends and with
    /// single spaces inside.
    public let string: String
    /// The name that devices compare: ``string`` with full Unicode case folding, composed again.
    /// No locale changes it.
    public let canonical: String

    /// The maximum length of the canonical form, in bytes of UTF-8.
    public static let bytesMax = 64

    /// The rule for what is typed.
    private static let rule = TextRule(characters: 1...64, bytesMax: 4 * bytesMax)

    /// Checks a name.
    /// - Throws: ``CommandFault/usage(_:field:)`` if the name is blank, has control characters, or
    ///   is too long, in this order.
    public init(_ text: String, field: String = "name") throws(CommandFault) {
        let typed = try Self.rule.check(text, field: field)
        string = Self.withSingleSpaces(typed).composed
        canonical = Self.folded(Self.withoutInvisible(string).composed).composed
        // A name of invisible characters alone is blank.
        if canonical.isEmpty { _ = try Self.rule.check(canonical, field: field) }
        let bytesCount = canonical.utf8.count
        guard bytesCount <= Self.bytesMax else {
            throw .usage(
                "'\(field)' must have at most \(Self.bytesMax) bytes of UTF-8, as 64 Latin or 21 "
                    + "Korean letters have; it has \(bytesCount)", field: field)
        }
    }

    /// One line within the limits.
    public static var schema: Schema { .text(.line(rule.characters)) }
    /// A short name.
    public static var example: NeighbourhoodName {
        NeighbourhoodName(checked: "Seongsu", "seongsu")
    }

    private init(checked string: String, _ canonical: String) {
        self.string = string
        self.canonical = canonical
    }

    private static func withSingleSpaces(_ text: String) -> String {
        text.unicodeScalars.split(whereSeparator: \.properties.isWhitespace)
            .map { String($0) }.joined(separator: " ")
    }

    /// Returns a text without characters that draw nothing: they would only hide a difference.
    private static func withoutInvisible(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.filter { scalar in
                    scalar.properties.generalCategory != .format || scalar.value == 0x200d
                }))
    }

    /// Returns a text with full case folding (the mappings C and F of Unicode's `CaseFolding.txt`).
    /// Swift has no such function; capitals made small are the same, apart from a dotless ı, which
    /// has no folding, and Cherokee, whose letters fold to capitals.
    private static func folded(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x131, 0x13a0...0x13f5: result.unicodeScalars.append(scalar)
            case 0x13f8...0x13fd: result.append(Self.scalar(scalar.value - 8))
            case 0xab70...0xabbf: result.append(Self.scalar(scalar.value - 0x97d0))
            default:
                let capitals = scalar.properties.lowercaseMapping.unicodeScalars
                    .map(\.properties.uppercaseMapping).joined()
                for capital in capitals.unicodeScalars {
                    result += capital.properties.lowercaseMapping
                }
            }
        }
        return result
    }

    private static func scalar(_ value: UInt32) -> Character {
        Unicode.Scalar(value).map(Character.init) ?? "\u{FFFD}"
    }
}

extension NeighbourhoodName: Hashable {
    /// Whether two names are the same neighbourhood.
    public static func == (one: Self, other: Self) -> Bool { one.canonical == other.canonical }

    /// Hashes the canonical form.
    public func hash(into hasher: inout Hasher) { hasher.combine(canonical) }
}

extension NeighbourhoodName {
    /// A name in an answer.
    public typealias Shown = ShownText<64>
}

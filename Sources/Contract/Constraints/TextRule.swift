/// The limits of a text: a number of characters as a person counts them (grapheme clusters), on one
/// line or several, trimmed, without control characters, and not blank unless 0 characters are
/// admitted.
public struct TextRule: Hashable, Sendable {
    /// The admitted number of characters, after trimming.
    public let characters: ClosedRange<Int>
    /// Whether it may have more than one line.
    public let hasLines: Bool
    /// The maximum number of UTF-8 bytes, whatever the characters: a record's field holds no more.
    public let bytesMax: Int
    /// Whether it may contain invisible characters that are not part of a visible one, such as a
    /// zero-width space. A longer text may contain them; in a name they only hide a difference.
    public let hasInvisible: Bool

    /// The maximum number of Unicode scalars in one character. The longest emoji in use has ten;
    /// without a limit one character could have any number of combining marks.
    public static let scalarsPerCharacterMax = 16

    /// Creates a rule for a number of characters.
    /// - Parameter bytesMax: the maximum number of UTF-8 bytes; by default that of the longest text
    ///   of these characters, or of one field of a record.
    public init(
        characters: ClosedRange<Int>, hasLines: Bool = false, bytesMax: Int? = nil,
        hasInvisible: Bool = true
    ) {
        self.characters = characters
        self.hasLines = hasLines
        self.hasInvisible = hasInvisible
        self.bytesMax =
            bytesMax
            ?? min(characters.upperBound * Self.scalarsPerCharacterMax * 4, Self.textBytesMax)
    }

    /// The rule for a person's nickname, the same for every feature that stores or shows one. The
    /// limit in bytes is that of eight characters of the longest kind: a record holds no more.
    public static let nickname = TextRule(
        characters: 1...20, bytesMax: 8 * scalarsPerCharacterMax * 4)

    /// The maximum number of bytes in a text, however many each character needs. One field of a
    /// record holds as many (`Limits.valueBytesMax`).
    public static let textBytesMax = 32 * 1024

    /// Checks a text and returns it trimmed.
    /// - Throws: ``CommandFault/usage(_:field:)`` in the order blank, control characters, length,
    ///   scalars per character, bytes.
    public func check(_ text: String, field: String) throws(CommandFault) -> String {
        if let rule = breach(in: text) { throw .usage("'\(field)' \(rule)", field: field) }
        return normalized(text)
    }

    /// Returns the first rule that a text breaks, as the rest of a sentence that begins with the
    /// text's name; nil if it breaks none.
    func breach(in text: String) -> Sentence? {
        let trimmed = normalized(text)
        guard !trimmed.isEmpty || characters.contains(0) else { return "must not be blank" }
        guard !trimmed.unicodeScalars.contains(where: isForbidden) else {
            return hasLines
                ? "must not have control characters"
                : "must be one line without control characters"
        }
        guard characters.contains(trimmed.count) else {
            let (least, most, count) = (characters.lowerBound, characters.upperBound, trimmed.count)
            return least == 0
                ? "must have at most \(most) characters; it has \(count)"
                : "must have \(least) to \(most) characters; it has \(count)"
        }
        let isBuiltUp = trimmed.contains {
            $0.unicodeScalars.count > Self.scalarsPerCharacterMax
        }
        guard !isBuiltUp else {
            return
                "must not have a character of more than \(Self.scalarsPerCharacterMax) code points"
        }
        guard trimmed.utf8.count <= bytesMax else {
            return "must have at most \(bytesMax) bytes of UTF-8; it has \(trimmed.utf8.count)"
        }
        return nil
    }

    private func normalized(_ text: String) -> String {
        Self.trimmed(hasLines ? Self.lines(text) : text)
    }

    /// Returns the part of a text from outside that may be shown: cut to its limits, or nil if
    /// nothing is left.
    public func clip(_ text: String) -> String? {
        // Most texts need no further check.
        if isPlain(text) { return text }
        var kept = String.UnicodeScalarView()
        kept.append(contentsOf: text.unicodeScalars.filter { !isForbidden($0) })
        var result = ""
        for character in Self.trimmed(String(kept)).prefix(characters.upperBound) {
            result.unicodeScalars.append(
                contentsOf: character.unicodeScalars.prefix(Self.scalarsPerCharacterMax))
        }
        while result.utf8.count > bytesMax { result.removeLast() }
        let trimmed = Self.trimmed(result)
        return trimmed.isEmpty ? nil : trimmed
    }

    /// Whether a text is short, of printable ASCII and composed Hangul, and trimmed. Each of these
    /// scalars is a character.
    private func isPlain(_ text: String) -> Bool {
        let (scalars, bytes, space) = (text.unicodeScalars, text.utf8, UInt8(ascii: " "))
        return 1...characters.upperBound ~= scalars.count && bytes.count <= bytesMax
            && bytes.first != space && bytes.last != space
            && scalars.allSatisfy {
                (0x20...0x7e).contains($0.value) || (0xac00...0xd7a3).contains($0.value)
            }
    }

    /// Returns a text with the same character at every line end, and tabs as the spaces they are
    /// shown as.
    private static func lines(_ text: String) -> String {
        String(text.map { $0.isNewline ? "\n" : $0 == "\t" ? " " : $0 })
    }

    private static func trimmed(_ text: String) -> String {
        let head = text.drop(while: isBlank)
        guard let last = head.lastIndex(where: { !isBlank($0) }) else { return "" }
        return String(head[...last])
    }

    /// Whether a character is white space or invisible.
    private static func isBlank(_ character: Character) -> Bool {
        character.isWhitespace
            || character.unicodeScalars.allSatisfy(\.properties.isDefaultIgnorableCodePoint)
    }

    private func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        if hasLines, scalar == "\n" { return false }
        return Self.isControl(scalar) || !hasInvisible && Self.isInvisible(scalar)
    }

    /// Whether a scalar draws nothing. Joiners make family emoji and Persian words, and tag
    /// characters make the flag of Scotland.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .surrogate, .unassigned: true
        case .format:
            scalar.value != 0x200c && scalar.value != 0x200d
                && !(0xe0020...0xe007f).contains(scalar.value)
        default: false
        }
    }

    /// Whether a scalar is a line break, a control character, or a mark that changes the direction
    /// of the text after it.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default:
            (0x202a...0x202e).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
        }
    }
}

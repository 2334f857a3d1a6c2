/// What a text may be: how many characters as a person counts them (grapheme clusters), on one
/// line or several, trimmed, and not blank.
public struct TextRule: Hashable, Sendable {
    /// What the text is, as in "a nickname".
    public let what: String
    /// Characters, after trimming.
    public let characters: ClosedRange<Int>
    /// Whether it may have more than one line.
    public let hasLines: Bool

    /// Unicode scalars one character may be built of. The longest emoji in use has ten; without a
    /// bound one character could carry any number of combining marks.
    public static let scalarsPerCharacterMax = 16

    /// Names the text and bounds its characters.
    public init(what: String, characters: ClosedRange<Int>, hasLines: Bool = false) {
        self.what = what
        self.characters = characters
        self.hasLines = hasLines
    }

    /// The bytes of UTF-8 that the longest such text has: what its characters could be built of,
    /// or, of a long text, what one field holds.
    public var bytesMax: Int {
        min(characters.upperBound * Self.scalarsPerCharacterMax * 4, Limits.valueBytesMax)
    }

    /// The trimmed text.
    /// - Throws: ``CommandFault/usage(_:field:)`` in the order blank, control characters, length,
    ///   characters built of too much, bytes.
    public func check(_ text: String, field: String) throws(CommandFault) -> String {
        let trimmed = Self.trimmed(hasLines ? Self.lines(text) : text)
        guard !trimmed.isEmpty else {
            throw .usage("\(what) must not be blank.", field: field)
        }
        guard !trimmed.unicodeScalars.contains(where: isForbidden) else {
            throw .usage(
                "\(what) \(hasLines ? "has no" : "is one line without") control characters.",
                field: field)
        }
        guard characters.contains(trimmed.count) else {
            throw .usage(
                "\(what) has \(characters.lowerBound) to \(characters.upperBound) characters; "
                    + "this one has \(trimmed.count).", field: field)
        }
        let isBuiltUp = trimmed.contains {
            $0.unicodeScalars.count > Self.scalarsPerCharacterMax
        }
        guard !isBuiltUp else {
            throw .usage(
                "\(what) holds a character built of more than \(Self.scalarsPerCharacterMax) "
                    + "parts.", field: field)
        }
        guard trimmed.utf8.count <= bytesMax else {
            throw .usage(
                "\(what) has at most \(bytesMax) bytes, whatever its characters are built of; "
                    + "this one has \(trimmed.utf8.count).", field: field)
        }
        return trimmed
    }

    /// What of a text from outside may be shown: cut to its limits, or nil where nothing is left.
    public func clip(_ text: String) -> String? {
        // Most texts need no closer look.
        if isPlain(text) { return text }
        var kept = String.UnicodeScalarView()
        kept.append(contentsOf: text.unicodeScalars.filter { !isForbidden($0) })
        var result = ""
        for character in Self.trimmed(String(kept)).prefix(characters.upperBound) {
            result.unicodeScalars.append(
                contentsOf: character.unicodeScalars.prefix(Self.scalarsPerCharacterMax))
        }
        let trimmed = Self.trimmed(result)
        return trimmed.isEmpty ? nil : trimmed
    }

    /// Whether a text is short, of printable ASCII, and trimmed.
    private func isPlain(_ text: String) -> Bool {
        let (bytes, space) = (text.utf8, UInt8(ascii: " "))
        return 1...characters.upperBound ~= bytes.count && bytes.first != space
            && bytes.last != space && bytes.allSatisfy { (0x20...0x7e).contains($0) }
    }

    /// A text with every end of a line spelt one way, and tabs as the spaces they are shown as.
    private static func lines(_ text: String) -> String {
        String(text.map { $0.isNewline ? "\n" : $0 == "\t" ? " " : $0 })
    }

    private static func trimmed(_ text: String) -> String {
        let head = text.drop(while: isBlank)
        guard let last = head.lastIndex(where: { !isBlank($0) }) else { return "" }
        return String(head[...last])
    }

    /// White space, and characters that draw nothing at all.
    private static func isBlank(_ character: Character) -> Bool {
        character.isWhitespace
            || character.unicodeScalars.allSatisfy(\.properties.isDefaultIgnorableCodePoint)
    }

    private func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        if hasLines, scalar == "\n" { return false }
        return Self.isControl(scalar)
    }

    /// Line breaks, control characters, and marks that turn the direction of what follows.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default:
            (0x202a...0x202e).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
        }
    }
}

public import Contract

/// One wish in an answer, such as "coffee".
public typealias ShownWish = ShownText<8>

/// The wishes of a person: at most 8 different ones of 1 to 8 characters. None means anything.
///
/// They are typed with spaces between; a wish that is typed twice counts once, and so do two that
/// differ only in capital letters.
/// ```swift
/// let wishes = try WishList(typed: "coffee  run Coffee")
/// wishes.wishes  // ["coffee", "run"]
/// ```
public struct WishList: Codable, Hashable, Sendable, SchemaDescribing {
    /// The wishes in the order in which they were typed.
    public let wishes: [String]

    /// The maximum number of wishes.
    public static let countMax = 8
    /// The admitted number of characters of one wish.
    public static let characters = 1...8
    /// The rule for one wish.
    public static let rule = TextRule(characters: characters)

    /// No wish: anything.
    public static let anything = WishList(checked: [])

    /// Reads wishes with white space between them.
    /// - Throws: ``CommandFault/usage(_:field:)`` for a wish that breaks ``rule``, then for more
    ///   than ``countMax`` different ones.
    public init(typed text: String, field: String = "wish") throws(CommandFault) {
        var (wishes, known): ([String], Set<String>) = ([], [])
        for typed in text.split(whereSeparator: \.isWhitespace) {
            let wish = try Self.rule.check(String(typed), field: field)
            if known.insert(Self.folded(wish)).inserted { wishes.append(wish) }
        }
        guard wishes.count <= Self.countMax else {
            throw .usage(
                "Give at most \(Self.countMax) wishes; these are \(wishes.count).", field: field)
        }
        self.wishes = wishes
    }

    private init(checked wishes: [String]) { self.wishes = wishes }

    /// The form in which two wishes are compared.
    public static func folded(_ wish: String) -> String { wish.lowercased() }

    /// Reads and checks the wishes.
    public init(from decoder: any Decoder) throws {
        let texts = try decoder.singleValueContainer().decode([String].self)
        self = try Self(
            typed: texts.joined(separator: " "),
            field: decoder.codingPath.first?.stringValue ?? "wish")
    }

    /// Writes the wishes.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wishes)
    }

    /// A list of wishes. A text with several wishes, as it is typed, is read too.
    public static var schema: Schema {
        .list(.text(.line(0...characters.upperBound)), count: 0...countMax)
    }
    /// One wish.
    public static var example: WishList { WishList(checked: ["walk"]) }
}

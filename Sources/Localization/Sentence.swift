/// A text of the program for a person, which can be shown in each of its languages.
///
/// A literal with interpolations becomes a template with numbered placeholders, and arguments. The
/// English template is the id of the sentence in the catalogues, as gettext has it:
///
///     let sentence: Sentence = "\(name) is \(distance) m away"
///     sentence.template  // "%1 is %2 m away"
///     sentence.english  // "Haru is 30 m away"
///
/// An argument is a text, which stays as it is, or a sentence, which is translated with the outer
/// one. A number in words needs two wordings:
///
///     Sentence(count: dogs, one: "1 dog", other: "\(dogs) dogs")
///
/// Texts of people, such as names and messages, are arguments or ``init(verbatim:)``; they are
/// never translated.
public struct Sentence: Sendable {
    /// The most arguments of a sentence: a placeholder has one digit.
    public static let argumentCountMax = 9
    /// The bytes of the templates and arguments of a sentence that is read.
    public static let bytesMax = 32 * 1024
    /// The levels of sentences inside each other in one that is read.
    public static let depthMax = 4

    /// A value that a sentence inserts.
    public enum Argument: Hashable, Sendable {
        case text(String)
        case sentence(Sentence)
    }

    /// The English template: `%1` to `%9` are placeholders, and `%%` is a percent sign. It is the
    /// id of the sentence.
    public private(set) var template: String
    /// The values of the placeholders, in their order.
    public private(set) var arguments: [Argument]
    /// The English wording for a count of one.
    private var singular: Singular?

    private struct Singular: Hashable, Sendable, Codable {
        var template: String
        var arguments: [Argument]
    }

    /// Makes a sentence of a text that is never translated, such as a name.
    public init(verbatim text: String) {
        template = "%1"
        arguments = [.text(text)]
    }

    /// Makes a sentence of an English text without placeholders that a contract declares elsewhere,
    /// such as the help of a command. The text is the id.
    public init(declared text: String) {
        template = Template.escaped(text)
        arguments = []
    }

    /// Makes a sentence that depends on a count. Languages without plural forms, such as Korean,
    /// translate the second wording.
    public init(count: some BinaryInteger, one: Sentence, other: Sentence) {
        template = other.template
        arguments = other.arguments
        singular = count == 1 ? Singular(template: one.template, arguments: one.arguments) : nil
    }

    /// The sentence in English.
    public var english: String { english { $0.english } }

    /// Returns the English sentence with arguments in another language.
    func english(_ translate: (Sentence) -> String) -> String {
        let template = Template(lenient: singular?.template ?? template)
        return template.filled((singular?.arguments ?? arguments).map { $0.text(translate) })
    }

    /// Joins some sentences with commas.
    public static func list(_ parts: [Sentence]) -> Sentence {
        guard parts.count <= argumentCountMax else {
            let first = parts.prefix(argumentCountMax - 1)
            return list(first + [list(Array(parts.dropFirst(first.count)))])
        }
        var list = Sentence(declared: "")
        list.arguments = parts.map(Argument.sentence)
        list.template = parts.indices.map { "%\($0 + 1)" }.joined(separator: ", ")
        return list
    }

    /// Joins the parts of a long sentence; together they are one message of the catalogues.
    public static func + (first: Sentence, second: Sentence) -> Sentence {
        var whole = first
        let moved = Template(lenient: second.template).moved(by: first.arguments.count)
        whole.template += moved.source
        whole.arguments += second.arguments
        precondition(
            whole.arguments.count <= argumentCountMax, "a sentence has at most nine arguments")
        return whole
    }
}

extension Sentence.Argument {
    func text(_ translate: (Sentence) -> String) -> String {
        switch self {
        case .text(let text): text
        case .sentence(let sentence): translate(sentence)
        }
    }
}

extension Sentence: Hashable {
    /// Whether both say the same in English, however it is divided into template and arguments.
    public static func == (one: Sentence, other: Sentence) -> Bool { one.english == other.english }

    /// Hashes the English text.
    public func hash(into hasher: inout Hasher) { hasher.combine(english) }
}

extension Sentence: CustomStringConvertible {
    /// The sentence in the language of the process.
    public var description: String { localized(self) }
}

extension Sentence: ExpressibleByStringInterpolation {
    /// Makes a sentence without arguments.
    public init(stringLiteral text: String) {
        template = Template.escaped(text)
        arguments = []
    }

    /// Makes a sentence of a literal's template and arguments.
    public init(stringInterpolation: Interpolation) {
        template = stringInterpolation.template
        arguments = stringInterpolation.arguments
    }

    /// Gathers the template and the arguments of a literal.
    public struct Interpolation: StringInterpolationProtocol {
        fileprivate var template = ""
        fileprivate var arguments: [Argument] = []

        /// Begins a literal.
        public init(literalCapacity: Int, interpolationCount: Int) {
            precondition(
                interpolationCount <= argumentCountMax, "a sentence has at most nine arguments")
            template.reserveCapacity(literalCapacity + 2 * interpolationCount)
            arguments.reserveCapacity(interpolationCount)
        }

        /// Appends a part of the template.
        public mutating func appendLiteral(_ literal: String) {
            template += Template.escaped(literal)
        }

        /// Inserts a sentence, which is translated with the outer one.
        public mutating func appendInterpolation(_ sentence: Sentence) {
            append(.sentence(sentence))
        }

        /// Inserts a value as it is, such as a name or a number.
        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            append(.text(value.description))
        }

        private mutating func append(_ argument: Argument) {
            arguments.append(argument)
            template += "%\(arguments.count)"
        }
    }
}

extension Sentence.Argument: Codable {
    /// Reads a text, or a sentence.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self = .text(text)
        } else {
            self = .sentence(try container.decode(Sentence.self))
        }
    }

    /// Writes a text as it is, and a sentence with its template.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .sentence(let sentence): try container.encode(sentence)
        }
    }
}

extension Sentence: Codable {
    private enum CodingKeys: CodingKey {
        case template, arguments, singular
    }

    /// Reads a sentence of a node.
    /// - Throws: `DecodingError`, also if it is over one of the limits of a sentence.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        template = try container.decode(String.self, forKey: .template)
        arguments = try container.decodeIfPresent([Argument].self, forKey: .arguments) ?? []
        singular = try container.decodeIfPresent(Singular.self, forKey: .singular)
        guard size.isWithinLimits else {
            throw DecodingError.dataCorruptedError(
                forKey: .arguments, in: container, debugDescription: "the sentence is too large")
        }
    }

    /// The cost of storing and showing a sentence.
    private struct Size {
        var bytes: Int
        /// The most arguments and placeholders of any sentence in it.
        var width: Int
        var depth: Int

        var isWithinLimits: Bool {
            bytes <= Sentence.bytesMax && width <= Sentence.argumentCountMax
                && depth <= Sentence.depthMax
        }
    }

    private var size: Size {
        var size = Size(bytes: 0, width: 0, depth: 1)
        for (template, arguments) in [
            (template, arguments), (singular?.template ?? "", singular?.arguments ?? []),
        ] {
            size.bytes += template.utf8.count
            let placeholders = Template(lenient: template).placeholderCount
            size.width = max(size.width, arguments.count, placeholders)
            for argument in arguments {
                switch argument {
                case .text(let text): size.bytes += text.utf8.count
                case .sentence(let inner):
                    let inner = inner.size
                    size.bytes += inner.bytes
                    size.width = max(size.width, inner.width)
                    size.depth = max(size.depth, inner.depth + 1)
                }
            }
        }
        return size
    }

    /// Writes the English template and the arguments.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(template, forKey: .template)
        if !arguments.isEmpty { try container.encode(arguments, forKey: .arguments) }
        try container.encodeIfPresent(singular, forKey: .singular)
    }
}

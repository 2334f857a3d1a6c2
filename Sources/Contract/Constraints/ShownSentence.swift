/// A sentence in an answer or an event, of at most `max` characters in English.
///
///     public struct Fix: Codable, Hashable, Sendable {
///         public var advice: ShownSentence
///
///         public init(advice: Sentence) { self.advice = ShownSentence(advice) }
///     }
///
/// JSON has the English text as the member `advice`, and its ``Sentence`` as the member
/// `adviceSentence`, so that a program in another language can translate it. A sentence over the
/// limit is cut, and has no translation.
public struct LimitedSentence<let max: Int>: Hashable, Sendable {
    /// The sentence.
    public let sentence: Sentence

    /// Creates a text, cut at the end if its English form is over the limit.
    public init(_ sentence: Sentence) {
        let english = sentence.english
        let kept = ShownText<max>(clipping: english).string
        self.sentence = kept == english ? sentence : Sentence(verbatim: kept)
    }

    /// Checks an English text without a translation.
    /// - Throws: ``CommandFault/usage(_:field:)`` with the limit that the text exceeds.
    public init(_ text: String, field: String) throws(CommandFault) {
        sentence = Sentence(verbatim: try ShownText<max>(text, field: field).string)
    }

    /// The text in the language of the process.
    public var string: String { localized(sentence) }
}

extension LimitedSentence: ConstrainedText, ExpressibleByStringInterpolation {
    /// Any text within the limits.
    public static var schema: Schema { ShownText<max>.schema }
    /// The empty text.
    public static var example: Self { "" }

    /// Creates a text that a program contains.
    public init(stringLiteral text: String) { self.init(Sentence(stringLiteral: text)) }

    /// Creates a text of a literal's template and arguments.
    public init(stringInterpolation: Sentence.Interpolation) {
        self.init(Sentence(stringInterpolation: stringInterpolation))
    }

    /// Writes the English text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(sentence.english)
    }

    /// Compares the English text with a plain one.
    public static func == (one: Self, other: String) -> Bool { one.sentence.english == other }
}

extension Optional {
    /// Compares a sentence in English with a plain text; without a sentence the two differ.
    public static func == <let max: Int>(one: Self, other: String) -> Bool
    where Wrapped == LimitedSentence<max> { one.map(\.sentence.english) == .some(other) }
}

/// A sentence that a node composes: an advice, a reason, a notice, or the text of an error.
public typealias ShownSentence = LimitedSentence<1000>

/// A value that JSON has as a text, with its ``Sentence`` in the member beside it. The encoder, the
/// decoder and the schema of ``JSONValue`` know the pair.
protocol SentenceMember {
    var sentence: Sentence { get }
    init(_ sentence: Sentence)
}

extension LimitedSentence: SentenceMember {}

extension Sentence {
    /// Returns the name of the member with the sentence of a text's member.
    public static func member(beside name: String) -> String { name + "Sentence" }

    /// Reads the sentence of an English text; one that is missing, over a limit or says something
    /// else in English is ignored.
    public init(reading json: JSONValue?, english: String) {
        let read = json.flatMap { try? $0.decoded(as: Sentence.self) }
        self = if let read, read.english == english { read } else { Sentence(verbatim: english) }
    }
}

extension Sentence.Interpolation {
    /// Inserts a sentence of an answer, which is translated with the outer one.
    public mutating func appendInterpolation<let max: Int>(_ text: LimitedSentence<max>) {
        appendInterpolation(text.sentence)
    }
}

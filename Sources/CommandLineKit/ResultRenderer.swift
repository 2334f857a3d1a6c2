public import Contract
import TimePhrases

/// Renders a command's JSON result for a person: aligned names and values for objects, tables for
/// lists, ages for moments, and people's messages word for word.
///
/// It knows the suffixes of names (`Ms`, `Seconds`, `Metres`, `Degrees`, `Nickname`), and that a
/// list whose elements have `id`, `text` and `atMs` is a conversation. It knows no command: members
/// that tell things apart come first, a type of answers can name more of them (``LeadingMembers``),
/// and it can name those that a table has no room for (``DetailMembers``).
///
/// On a terminal, an id is shown by its first digits, which every command accepts: six, or as many
/// as tell apart all ids of the result. Elsewhere nothing is shortened: a table has a line for each
/// element, with all its members.
public struct ResultRenderer: Sendable {
    private let schema: Schema
    private let now: Timestamp
    private let isColoured: Bool
    private let widthMax: Int?
    private let catalogue: Catalogue

    /// Creates a renderer.
    /// - Parameters:
    ///   - schema: the shape of the results.
    ///   - now: the time from which ages are counted.
    ///   - isColoured: whether headings are bold.
    ///   - widthMax: the columns of the terminal; nil if the result goes elsewhere.
    ///   - catalogue: the language of headings, words and sentences.
    public init(
        of schema: Schema = .any, now: Timestamp, isColoured: Bool = false, widthMax: Int? = nil,
        in catalogue: Catalogue = .current
    ) {
        self.schema = schema
        self.catalogue = catalogue
        self.now = now
        self.isColoured = isColoured
        self.widthMax = widthMax
    }

    /// Returns the result's text, ending with a line end.
    public func text(for result: JSONValue) -> String {
        let result = said(result)
        let idDigits = widthMax == nil ? nil : ShortID.digitsCount(for: result, of: schema)
        let text = ResultText(
            values: ValueText(
                now: now, catalogue: catalogue, leading: schema.leadingNames, idDigits: idDigits),
            isColoured: isColoured, widthMax: widthMax)
        return text.lines(result, of: schema).joined(separator: "\n") + "\n"
    }

    /// Returns the result's text as one of a series: only its `text`, if it has one on its top
    /// level, because that says the whole in one line.
    public func newText(for result: JSONValue) -> String {
        said(result)["text"]?.string.map { $0.harmless + "\n" } ?? text(for: result)
    }

    /// Returns one event as one line: the time, then the event's sentence.
    public func line(for event: Sentence) -> String {
        now.clockText().bold(isColoured) + "  " + catalogue.text(event).harmless
    }

    /// Returns a result with each sentence in the person's language, instead of an English text
    /// and the sentence beside it.
    private func said(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let elements): return .array(elements.map(said))
        case .object(var members):
            for (name, value) in members {
                let beside = Sentence.member(beside: name)
                guard let english = value.string, let json = members[beside] else { continue }
                members[name] = .string(
                    catalogue.text(Sentence(reading: json, english: english)))
                members[beside] = nil
            }
            return .object(members.mapValues(said))
        default: return value
        }
    }
}

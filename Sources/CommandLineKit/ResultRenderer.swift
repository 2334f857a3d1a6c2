public import Contract
import ControlAPI
import Location
import TimePhrases

/// Renders a command's JSON result for a person: aligned names and values for objects, tables for
/// lists, ages for moments, and people's messages word for word.
///
/// It knows the suffixes of names (`Ms`, `Seconds`, `Metres`, `Degrees`), and that a list whose
/// elements have `id`, `text` and `atMs` is a conversation. It knows no command: members that tell
/// things apart come first, and a type of answers can name more of them (``LeadingMembers``).
public struct ResultRenderer: Sendable {
    private let now: Timestamp
    private let isColoured: Bool
    private let widthMax: Int?
    /// The names of the members that come first, in their order.
    private let leading: [String]
    /// The names of the members whose values are words of the program.
    private let choices: Set<String>
    private let catalogue: Catalogue

    /// Creates a renderer.
    /// - Parameters:
    ///   - schema: the shape of the results, which names leading members.
    ///   - now: the time from which ages are counted.
    ///   - isColoured: whether headings are bold.
    ///   - widthMax: the columns that a table fits into; any number if nil.
    ///   - catalogue: the language of headings, words and sentences.
    public init(
        of schema: Schema = .any, now: Timestamp, isColoured: Bool = false, widthMax: Int? = nil,
        in catalogue: Catalogue = .current
    ) {
        leading =
            ["name", "nickname", "title"] + schema.leadingNames.sorted()
            + ["state", "phase", "id", "kind", "suffix"]
        choices = schema.choiceNames
        self.catalogue = catalogue
        self.now = now
        self.isColoured = isColoured
        self.widthMax = widthMax
    }

    /// Returns the result's text, ending with a line end.
    public func text(for result: JSONValue) -> String {
        let lines =
            switch said(result) {
            case .object(let members) where members.isEmpty: [catalogue.text("done")]
            case .object(let members): object(members)
            case .array(let elements): list(elements, named: "")
            default: [scalar(result, named: "")]
            }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns the result's text as one of a series: only its `text`, if it has one on its top
    /// level, because that says the whole in one line.
    public func newText(for result: JSONValue) -> String {
        said(result)["text"]?.string.map { $0.harmless + "\n" } ?? text(for: result)
    }

    /// Returns one event as one line: the time, then the event's sentence.
    public func line(for event: Sentence) -> String {
        heading(now.clockText()) + "  " + catalogue.text(event).harmless
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

extension ResultRenderer {
    /// Returns plain members first, aligned; then each nested one under its name.
    private func object(_ members: [String: JSONValue]) -> [String] {
        let sorted = members.sorted { rank($0.key) < rank($1.key) }
        let isAlone = members.count == 1
        let plain = sorted.filter { $0.value.isPlain || ($0.value == [] && !isAlone) }
        let width = plain.map { label($0.key).displayWidth }.max() ?? 0
        var lines = plain.map { name, value in
            label(name).padded(to: width) + "  " + scalar(value, named: name)
        }
        for (name, value) in sorted where !plain.contains(where: { $0.key == name }) {
            let inner = nested(value, named: name)
            if isAlone, value.array != nil { return inner }
            if !lines.isEmpty { lines.append("") }
            lines.append(heading(label(name)))
            lines += inner.map { "  " + $0 }
        }
        return lines
    }

    private func nested(_ value: JSONValue, named name: String) -> [String] {
        switch value {
        case .object(let members): members.isEmpty ? [catalogue.text("nothing")] : object(members)
        case .array(let elements): list(elements, named: name)
        default: [scalar(value, named: name)]
        }
    }

    private func list(_ elements: [JSONValue], named name: String) -> [String] {
        guard !elements.isEmpty else {
            return [catalogue.text(name.isEmpty ? "none" : "no \(label(name))")]
        }
        let rows = elements.compactMap { element -> [String: JSONValue]? in
            if case .object(let members) = element { members } else { nil }
        }
        guard rows.count == elements.count else {
            return elements.map { scalar($0, named: name) }
        }
        let isTalk = rows.allSatisfy { row in ["id", "text", "atMs"].allSatisfy { row[$0] != nil } }
        return isTalk ? rows.flatMap(talk) : table(rows)
    }

    /// Returns a person's whole message, below a line with its author and its time.
    private func talk(_ row: [String: JSONValue]) -> [String] {
        let isMine = row["isMine"]?.boolean ?? false
        let who =
            isMine
            ? catalogue.text("you") : row["name"]?.string?.harmless ?? catalogue.text("someone")
        let facts = ["room", "atMs", "state", "id"].compactMap { name in
            row[name].map { scalar($0, named: name) }
        }
        let lines = (row["text"]?.string ?? "").split(
            separator: "\n", omittingEmptySubsequences: false)
        return [heading(([who] + facts).joined(separator: "  "))]
            + lines.map { "  " + String($0).harmless }
    }

    private func table(_ rows: [[String: JSONValue]]) -> [String] {
        let columns = Set(rows.flatMap(\.keys)).sorted { rank($0) < rank($1) }
        let head = columns.map { label($0).uppercased() }
        let cells = rows.map { row in
            columns.map { name in row[name].map { cell($0, named: name) } ?? "" }
        }
        let wanted = columns.indices.map { column in
            ([head] + cells).map { $0[column].displayWidth }.max() ?? 0
        }
        let narrowest = columns.indices.map { column in
            let isKey = cells.contains { $0[column].isKey }
            return isKey ? wanted[column] : min(wanted[column], Self.columnWidthMin)
        }
        guard let widths = Self.widths(wanted, narrowest, sum: widthMax) else {
            return blocks(rows)
        }
        func line(_ cells: [String]) -> String {
            zip(cells, widths).map { $0.cut(to: $1).padded(to: $1) }.joined(separator: "  ")
                .trimmingEnd
        }
        return [heading(line(head))] + cells.map(line)
    }

    /// Returns the widths of columns that fit into a sum, with two spaces between them: the widest
    /// columns become narrower first. Nil if even the narrowest ones do not fit.
    private static func widths(_ wanted: [Int], _ narrowest: [Int], sum: Int?) -> [Int]? {
        var (widths, surplus) = (wanted, 0)
        if let sum { surplus = wanted.reduce(0, +) + 2 * (wanted.count - 1) - sum }
        while surplus > 0 {
            let widest = widths.indices.filter { widths[$0] > narrowest[$0] }
                .max { widths[$0] < widths[$1] }
            guard let widest else { return nil }
            widths[widest] -= 1
            surplus -= 1
        }
        return widths
    }

    /// Returns rows that are too wide for a table: each below the other, with a blank line between.
    private func blocks(_ rows: [[String: JSONValue]]) -> [String] {
        rows.enumerated().flatMap { place, row in (place == 0 ? [] : [""]) + object(row) }
    }

    /// Returns a value for a column of limited width. A key is never cut, since people type it
    /// again.
    private func cell(_ value: JSONValue, named name: String) -> String {
        let text = scalar(value, named: name)
        return text.isKey ? text : text.cut(to: Self.columnWidthMax)
    }

    /// Returns a value on one line.
    private func scalar(_ value: JSONValue, named name: String) -> String {
        switch value {
        case .null: return ""
        case .boolean(let isTrue): return catalogue.text(isTrue ? "yes" : "no")
        case .string(let text):
            guard choices.contains(name) else { return text.harmless }
            return catalogue.text(Sentence(declared: text)).harmless
        case .integer, .number: return number(value, named: name)
        case .array(let elements):
            guard !elements.isEmpty else { return catalogue.text("none") }
            return elements.map { scalar($0, named: name) }.joined(separator: ", ")
        case .object(let members):
            return members.sorted { rank($0.key) < rank($1.key) }
                .map { "\(label($0.key)) \(scalar($0.value, named: $0.key))" }
                .joined(separator: ", ")
        }
    }

    private func number(_ value: JSONValue, named name: String) -> String {
        if name.hasSuffix("Ms"), let milliseconds = value.integer {
            guard milliseconds >= Self.firstMoment else { return "\(milliseconds) ms" }
            let moment = Timestamp(milliseconds: milliseconds)
            return moment > now + Self.nearFuture
                ? moment.phrase(now: now) : catalogue.text(AgeText.distance(to: moment, now: now))
        }
        if name.hasSuffix("Seconds") || name.hasPrefix("seconds"), let number = value.number {
            let seconds = Int64(exactly: number.rounded()) ?? 0
            return catalogue.text(AgeText.span(.seconds(seconds)))
        }
        if name.hasSuffix("Metres"), let metres = value.number {
            return DistanceText.text(metres: metres) ?? value.jsonText()
        }
        if name.hasSuffix("Degrees") { return value.jsonText() + "°" }
        if case .integer(let count) = value, !Self.isPlainNumber(name) {
            return NumberText.grouped(count)
        }
        return value.jsonText()
    }

    /// Returns the sort key of a name: names that tell things apart come first, the others in
    /// alphabetical order.
    private func rank(_ name: String) -> (Int, String) {
        (leading.firstIndex(of: name) ?? leading.count, name)
    }

    private func heading(_ text: String) -> String {
        isColoured ? "\u{1B}[1m\(text)\u{1B}[0m" : text
    }
}

extension ResultRenderer {
    /// The widest column of a table, in columns of a terminal.
    private static let columnWidthMax = 40
    /// The narrowest to which a column is cut, so that a few letters stay.
    private static let columnWidthMin = 8
    /// The time ahead from which a moment is shown with its date.
    private static let nearFuture = Duration.seconds(120)

    /// The least number of milliseconds that is a moment, in 2001; a smaller one is a duration.
    private static let firstMoment: Int64 = 1_000_000_000_000

    /// Whether a number is written without commas: ports and bytes, which people type again.
    private static func isPlainNumber(_ name: String) -> Bool {
        name == "port" || name.lowercased().contains("bytes")
    }

    /// Returns a name as words without its unit: `lastExchangeMs` as `last exchange`.
    private func label(_ name: String) -> String {
        catalogue.text(Sentence(declared: Self.words(of: name))).harmless
    }

    /// Returns the words of a name, in English.
    static func words(of name: String) -> String {
        var name = name[...]
        for unit in ["Ms", "Seconds", "Metres", "Degrees"] where name.hasSuffix(unit) {
            name = name.dropLast(unit.count)
        }
        return name.reduce(into: "") { text, character in
            if character.isUppercase { text += " " }
            text += character.lowercased()
        }
    }
}

extension Schema {
    /// The names of the members whose values are words of the program.
    var choiceNames: Set<String> {
        switch self {
        case .any, .boolean, .integer, .number, .text: []
        case .list(let element, _): element.choiceNames
        case .map(let value): value.choiceNames
        case .object(let members, _):
            members.reduce(into: []) { names, member in
                names.formUnion(member.schema.choiceNames)
                if !member.schema.choiceWords.isEmpty { names.insert(member.name) }
            }
        }
    }

    /// The words of a choice, or of a list of choices.
    var choiceWords: [String] {
        switch self {
        case .text(.choice(let words)): words
        case .list(let element, _): element.choiceWords
        default: []
        }
    }
}

extension JSONValue {
    /// Whether it fits on a line: it is no object, and no list that contains objects.
    fileprivate var isPlain: Bool {
        switch self {
        case .object: false
        case .array(let elements): !elements.isEmpty && elements.allSatisfy { $0.isLeaf }
        default: true
        }
    }

    private var isLeaf: Bool {
        switch self {
        case .object, .array: false
        default: true
        }
    }
}

extension String {
    /// Whether it is a key or an id, which people type again.
    fileprivate var isKey: Bool { count >= 6 && allSatisfy(\.isHexDigit) }

    fileprivate var trimmingEnd: String {
        var rest = self[...]
        while rest.last == " " { rest = rest.dropLast() }
        return String(rest)
    }
}

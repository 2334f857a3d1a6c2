import Contract
import ControlAPI
import Location
import TimePhrases

/// Shows single values of a result to a person, and the names of members.
struct ValueText: Sendable {
    private let now: Timestamp
    /// The language.
    let catalogue: Catalogue
    /// The names of the members that come first, in their order.
    private let leading: [String]
    /// The number of digits that are shown of an id; nil for all of them.
    let idDigits: Int?

    init(now: Timestamp, catalogue: Catalogue, leading: Set<String>, idDigits: Int?) {
        self.now = now
        self.catalogue = catalogue
        self.leading =
            ["name", "nickname", "title"] + leading.sorted()
            + ["state", "phase", "id", "kind", "suffix"]
        self.idDigits = idDigits
    }

    /// Returns a value on one line.
    func text(_ value: JSONValue, named name: String, of schema: Schema) -> String {
        switch value {
        case .null: return ""
        case .boolean(let isTrue): return catalogue.text(isTrue ? "yes" : "no")
        case .string(let text):
            guard !schema.choiceWords.isEmpty else {
                let ids = ShortID.all(in: text, named: name, of: schema)
                return ids.reduce(text) { text, id in
                    text.replacing(id, with: id.prefix(idDigits ?? id.count))
                }.split(whereSeparator: \.isNewline).joined(separator: " ").harmless
            }
            let word = catalogue.text(Sentence(declared: text))
            return (word == text ? Self.separated(word) : word).harmless
        case .integer, .number: return number(value, named: name)
        case .array(let elements):
            guard !elements.isEmpty else { return catalogue.text("none") }
            return elements.map { text($0, named: name, of: schema.element) }
                .joined(separator: ", ")
        case .object(let members):
            return sorted(members)
                .map { "\(label($0)) \(text($1, named: $0, of: schema.shape(of: $0)))" }
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
            return
                (Self.measured.contains(name)
                ? DistanceText.measured(metres: metres) : DistanceText.text(metres: metres))
                ?? value.jsonText()
        }
        if name.hasSuffix("Degrees") { return value.jsonText() + "°" }
        if case .integer(let count) = value, !Self.isPlainNumber(name) {
            return NumberText.grouped(count)
        }
        return value.jsonText()
    }

    /// Returns members in order: names that tell things apart come first, the others follow in
    /// alphabetical order.
    func sorted<Value>(_ members: [String: Value]) -> [(key: String, value: Value)] {
        members.sorted { rank($0.key) < rank($1.key) }
    }

    private func rank(_ name: String) -> (Int, String) {
        (leading.firstIndex(of: name) ?? leading.count, name)
    }

    /// Returns a name as words without its unit: `lastExchangeMs` as `last exchange`.
    func label(_ name: String) -> String {
        catalogue.text(Sentence(declared: Self.words(of: name))).harmless
    }

    /// Returns the words of a name, in English.
    static func words(of name: String) -> String {
        // The first digits of a key are how a person types it.
        guard name != "suffix" else { return "key" }
        var name = name[...]
        for unit in ["Ms", "Seconds", "Metres", "Degrees"] where name.hasSuffix(unit) {
            name = name.dropLast(unit.count)
        }
        if name.hasPrefix("seconds") { name = "time" + name.dropFirst("seconds".count) }
        return separated(name)
    }

    /// Returns a word of the program as English words: `notAnswered` as `not answered`.
    private static func separated(_ word: some StringProtocol) -> String {
        word.reduce(into: "") { text, character in
            guard character.isUppercase, text.last?.isLowercase == true else {
                return text.append(character)
            }
            text += " " + character.lowercased()
        }
    }

    /// The time ahead from which a moment is shown with its date.
    private static let nearFuture = Duration.seconds(120)

    /// The least number of milliseconds that is a moment, in 2001; a smaller one is a duration.
    private static let firstMoment: Int64 = 1_000_000_000_000

    /// The names of distances that may be shorter than a metre.
    private static let measured: Set = ["distanceMetres", "uncertaintyMetres"]

    /// Whether a number is written without commas: ports and bytes, which people type again.
    private static func isPlainNumber(_ name: String) -> Bool {
        name == "port" || name.lowercased().contains("bytes")
    }
}

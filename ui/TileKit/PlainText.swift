/// Texts from outside that may be HTML.
enum PlainText {
    /// Returns the text of a piece of HTML on one line: without tags, with entities decoded,
    /// without characters that only control others, and cut at `charactersMax`.
    ///
    ///     PlainText.line(ofHTML: "&copy; <a href=\"x\">Ann &amp; Ben</a>", charactersMax: 60)
    ///     // "© Ann & Ben"
    static func line(ofHTML html: String, charactersMax: Int) -> String {
        let beginning = String(String.UnicodeScalarView(html.unicodeScalars.prefix(scalarsMax)))
        let words = decoded(withoutTags(beginning)).unicodeScalars
            .map { $0.properties.isWhitespace ? " " : Character($0) }
            .filter { !isControl($0) }
            .split(separator: " ").map { String($0) }
        let line = words.joined(separator: " ")
        return line.count <= charactersMax ? line : line.prefix(charactersMax - 1) + "…"
    }

    /// The code points that are looked at. A character may have any number of them, and a tag
    /// without an end is searched to the end.
    static let scalarsMax = 4096

    private static func isControl(_ character: Character) -> Bool {
        character.unicodeScalars.allSatisfy {
            [.control, .format, .surrogate, .privateUse, .unassigned]
                .contains($0.properties.generalCategory)
        }
    }

    /// The tags that begin a new line, and so separate words.
    private static let separating: Set<String> = ["br", "p", "div", "li", "ul", "tr", "td"]

    /// Removes each tag, or replaces it by a space if it begins a new line. A tag begins with a
    /// letter, "/" or "!"; "a < b" has none.
    private static func withoutTags(_ html: String) -> String {
        var text = String.UnicodeScalarView()
        var rest = Substring(html).unicodeScalars
        while let next = rest.popFirst() {
            guard next == "<", let first = rest.first,
                first.properties.isAlphabetic || first == "/" || first == "!",
                let end = rest.firstIndex(of: ">")
            else {
                text.append(next)
                continue
            }
            let name = rest[..<end].drop { $0 == "/" }.prefix { $0.properties.isAlphabetic }
            if separating.contains(String(name).lowercased()) { text.append(" ") }
            rest = rest[rest.index(after: end)...]
        }
        return String(text)
    }

    private static let entities: [String: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "copy": "©",
        "reg": "®", "middot": "·", "ndash": "–", "mdash": "—",
    ]
    /// The longest entity that is decoded, in characters.
    private static let entityCharactersMax = 8

    private static func decoded(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var rest = Substring(text).unicodeScalars
        while let next = rest.popFirst() {
            guard next == "&", let end = rest.prefix(entityCharactersMax + 1).firstIndex(of: ";"),
                let meant = scalar(of: String(rest[..<end]))
            else {
                result.append(next)
                continue
            }
            result.append(meant)
            rest = rest[rest.index(after: end)...]
        }
        return String(result)
    }

    private static func scalar(of entity: String) -> Unicode.Scalar? {
        guard entity.hasPrefix("#") else { return entities[entity] }
        let digits = entity.dropFirst()
        let number =
            digits.lowercased().hasPrefix("x")
            ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return number.flatMap(Unicode.Scalar.init)
    }
}

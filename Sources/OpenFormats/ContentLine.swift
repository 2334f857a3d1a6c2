/// One line of a vCard or an iCalendar file, which share their grammar: a name, parameters and a
/// value, as in `DTSTART;TZID=Asia/Seoul:20261124T180000`.
struct ContentLine: Hashable, Sendable {
    /// The name in capital letters, without a vCard's group.
    let name: String
    /// The values of each parameter, by its name in capital letters. A parameter of vCard 2.1
    /// without a name, such as `HOME`, is a `TYPE`.
    let parameters: [String: [String]]
    /// The value as it is written, with its escapes.
    let value: String
    /// The number of the line in the file, from 1.
    let number: Int

    /// Parses an unfolded line; nil if it has no name or no value.
    init?(_ text: String, number: Int) {
        guard let colon = ContentLine.index(of: UInt8(ascii: ":"), in: text[...]) else {
            return nil
        }
        var parts = ContentLine.split(text[..<colon], at: ";")[...]
        // vCard writes a group before the name, as in `item1.URL`.
        guard let label = parts.popFirst(),
            let name = label.split(separator: ".").last?.uppercased()
        else { return nil }
        var parameters: [String: [String]] = [:]
        for part in parts.prefix(ContentLine.parametersCountMax) {
            let equals = part.firstIndex(of: "=")
            let key = equals.map { part[..<$0].uppercased() } ?? "TYPE"
            let values = part[(equals.map { part.index(after: $0) } ?? part.startIndex)...]
            parameters[key, default: []] += ContentLine.split(values, at: ",").map(
                ContentLine.parameter)
        }
        self.name = name
        self.parameters = parameters
        value = String(text[text.index(after: colon)...])
        self.number = number
    }

    /// Creates the same line with another value.
    init(_ line: ContentLine, value: String) {
        (name, parameters, number) = (line.name, line.parameters, line.number)
        self.value = value
    }

    /// The largest number of parameters of a line; others are ignored.
    private static let parametersCountMax = 32
    /// The largest number of parts that a text is split into; the last holds the rest.
    private static let partsCountMax = 64

    /// Whether a parameter has a value, in any case of its letters.
    func has(_ parameter: String, _ value: String) -> Bool {
        parameters[parameter]?.contains { $0.uppercased() == value } ?? false
    }

    /// The value without its escapes: `\n`, `\,`, `\;` and `\\`.
    var text: String { ContentLine.unescaped(value[...]) }

    /// The parts of a structured value, which semicolons separate, without their escapes.
    var components: [String] {
        ContentLine.split(value[...], at: ";", escape: "\\").map(ContentLine.unescaped)
    }

    /// The values of a list, which commas separate, without their escapes.
    var list: [String] {
        ContentLine.split(value[...], at: ",", escape: "\\").map(ContentLine.unescaped)
    }

    private static func unescaped(_ text: Substring) -> String {
        var result = String.UnicodeScalarView()
        var isEscaped = false
        for scalar in text.unicodeScalars {
            switch (isEscaped, scalar) {
            case (false, "\\"): isEscaped = true
            case (false, _): result.append(scalar)
            case (true, "n"), (true, "N"):
                result.append("\n")
                isEscaped = false
            case (true, _):
                result.append(scalar)
                isEscaped = false
            }
        }
        return String(result)
    }

    /// Returns a parameter's value without quotes, and with RFC 6868's escapes replaced.
    private static func parameter(_ text: Substring) -> String {
        let inner =
            text.count >= 2 && text.hasPrefix("\"") && text.hasSuffix("\"")
            ? text.dropFirst().dropLast() : text
        guard inner.contains("^") else { return String(inner) }
        var result = ""
        var isEscaped = false
        for character in inner {
            switch (isEscaped, character) {
            case (false, "^"): isEscaped = true
            case (true, "n"): (result, isEscaped) = (result + "\n", false)
            case (true, "'"): (result, isEscaped) = (result + "\"", false)
            case (true, "^"): (result, isEscaped) = (result + "^", false)
            case (true, _): (result, isEscaped) = (result + "^\(character)", false)
            case (false, _): result.append(character)
            }
        }
        return result
    }

    /// Returns the index of a separator outside of quotes.
    private static func index(of separator: UInt8, in text: Substring) -> String.Index? {
        var isQuoted = false
        let bytes = text.utf8
        for index in bytes.indices {
            if bytes[index] == UInt8(ascii: "\"") { isQuoted.toggle() }
            if !isQuoted, bytes[index] == separator { return index }
        }
        // A quote without an end is a part of the text.
        return isQuoted ? bytes.firstIndex(of: separator) : nil
    }

    /// Splits a text at separators outside of quotes, or at those without an escape before them.
    private static func split(
        _ text: Substring, at separator: Unicode.Scalar, escape: Unicode.Scalar? = nil
    ) -> [Substring] {
        var parts: [Substring] = []
        var (start, isQuoted, isEscaped) = (text.startIndex, false, false)
        let scalars = text.unicodeScalars
        for index in scalars.indices {
            let scalar = scalars[index]
            if isEscaped {
                isEscaped = false
            } else if let escape, scalar == escape {
                isEscaped = true
            } else if escape == nil, scalar == "\"" {
                isQuoted.toggle()
            } else if scalar == separator, !isQuoted, parts.count < partsCountMax - 1 {
                parts.append(text[start..<index])
                start = scalars.index(after: index)
            }
        }
        return parts + [text[start...]]
    }
}

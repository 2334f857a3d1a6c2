public import PluginKit

extension Parameter {
    /// The value that a text means for this parameter, as written in a query string or on the
    /// command line. Texts are separated by commas.
    /// - Throws: ``CommandFault/usage(_:field:)`` naming this parameter.
    public func value(fromText text: String) throws(CommandFault) -> JSONValue {
        switch type {
        case .text, .path: return .string(text)
        case .integer:
            if let number = text.decimalInteger { return .integer(number) }
            throw wrong(text, expected: "a whole number, as in 42")
        case .number:
            if let number = text.decimalNumber { return .number(number) }
            throw wrong(text, expected: "a number, as in 37.5665")
        case .boolean:
            if let isTrue = Self.truths[text.lowercased()] { return .boolean(isTrue) }
            throw wrong(text, expected: "true or false")
        case .choice(let words):
            if words.contains(text) { return .string(text) }
            throw wrong(text, expected: "one of \(words.joined(separator: ", "))")
        case .texts:
            return .array(
                text.split(separator: ",").map { part in
                    .string(part.trimmingSpaces)
                })
        }
    }

    private static let truths = [
        "true": true, "yes": true, "1": true, "false": false, "no": false, "0": false,
    ]

    private func wrong(_ text: String, expected: String) -> CommandFault {
        .usage("'\(name)' must be \(expected), not '\(text)'", field: name)
    }
}

extension CommandDeclaration {
    /// What a query string says, checked against this declaration. A name given again adds to a
    /// list of texts; for any other parameter it is a mistake.
    /// - Throws: ``CommandFault/usage(_:field:)``.
    public func arguments(fromQuery items: [(name: String, text: String)])
        throws(CommandFault) -> Arguments
    {
        var values: [String: JSONValue] = [:]
        for item in items {
            guard let parameter = parameters.first(where: { $0.name == item.name }) else {
                // The check below names what this command takes.
                values[item.name] = .string(item.text)
                continue
            }
            let value = try parameter.value(fromText: item.text)
            values[item.name] = try parameter.joining(values[item.name], value)
        }
        return try Arguments(checking: values, against: self)
    }

    /// The query string that says these arguments, without its question mark.
    public func query(for arguments: Arguments) -> String {
        parameters.flatMap { parameter -> [String] in
            guard let value = arguments[parameter.name] else { return [] }
            let texts = value.array?.map(\.queryText) ?? [value.queryText]
            return texts.map { "\(parameter.name)=\(percentEncoded($0))" }
        }.joined(separator: "&")
    }
}

extension Parameter {
    /// The value after it was given once more.
    /// - Throws: ``CommandFault/usage(_:field:)`` where only one value makes sense.
    func joining(_ first: JSONValue?, _ second: JSONValue) throws(CommandFault) -> JSONValue {
        guard let first else { return second }
        guard case .array(let earlier) = first, case .array(let later) = second else {
            throw .usage("'\(name)' is given twice", field: name)
        }
        return .array(earlier + later)
    }
}

extension JSONValue {
    fileprivate var queryText: String { string ?? jsonText() }
}

extension String {
    /// The whole number that the text is in digits alone: the parser also takes a leading plus.
    var decimalInteger: Int64? {
        wholeMatch(of: #/-?[0-9]+/#) == nil ? nil : Int64(self)
    }

    /// The finite number that the text is in the decimal notation that JSON has: the parser also
    /// takes hexadecimal digits, a leading plus and words.
    var decimalNumber: Double? {
        guard wholeMatch(of: #/-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?/#) != nil,
            let number = Double(self), number.isFinite
        else { return nil }
        return number
    }
}

extension StringProtocol {
    /// The text without white space at its ends.
    var trimmingSpaces: String {
        var rest = self[...]
        while rest.first?.isWhitespace == true { rest = rest.dropFirst() }
        while rest.last?.isWhitespace == true { rest = rest.dropLast() }
        return String(rest)
    }
}

/// A text as a URL takes it: everything but letters, digits and `-._~` as `%XX`.
package func percentEncoded(_ text: String) -> String {
    text.utf8.reduce(into: "") { encoded, byte in
        let character = Character(Unicode.Scalar(byte))
        if byte < 0x80, character.isLetter || character.isNumber || "-._~".contains(character) {
            encoded.append(character)
        } else {
            let digits = String(byte, radix: 16, uppercase: true)
            encoded += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
        }
    }
}

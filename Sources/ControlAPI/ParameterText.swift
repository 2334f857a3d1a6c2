public import Contract

extension Parameter {
    /// Returns the JSON value that a text in a query string or on the command line means.
    ///
    /// A list has one element for each text, or all its elements in one JSON array, as in
    /// `["a","b"]`; an empty text is an empty list. A text is never split at commas.
    /// - Throws: ``CommandFault/usage(_:field:)`` naming this parameter.
    public func value(fromText text: String) throws(CommandFault) -> JSONValue {
        guard case .list(let element, _) = schema else { return try value(text, schema) }
        if text.isEmpty { return [] }
        if text.hasPrefix("["), let list = try? JSONValue(parsing: text.utf8), list.array != nil {
            return list
        }
        return .array([try value(text, element)])
    }

    private func value(_ text: String, _ schema: Schema) throws(CommandFault) -> JSONValue {
        switch schema {
        case .text: return .string(text)
        case .integer:
            if let number = text.decimalInteger { return .integer(number) }
        case .number:
            if let number = text.decimalNumber { return .number(number) }
        case .boolean:
            if let isTrue = Self.truths[text.lowercased()] { return .boolean(isTrue) }
        case .any, .list, .object, .map:
            if let value = try? JSONValue(parsing: text.utf8) { return value }
        }
        throw .usage("'\(name)' must be \(schema.expectation), not '\(text)'", field: name)
    }

    private static let truths = [
        "true": true, "yes": true, "1": true, "false": false, "no": false, "0": false,
    ]
}

extension CommandDeclaration {
    /// Returns the arguments in a query string, checked against this declaration. A repeated name
    /// adds to a list; for any other parameter it is a mistake.
    /// - Throws: ``CommandFault/usage(_:field:)``.
    public func arguments(fromQuery items: [(name: String, text: String)])
        throws(CommandFault) -> Arguments
    {
        var values: [String: JSONValue] = [:]
        for item in items {
            guard let parameter = parameters.first(where: { $0.name == item.name }) else {
                // The check below names the parameters of this command.
                values[item.name] = .string(item.text)
                continue
            }
            let value = try parameter.value(fromText: item.text)
            values[item.name] = try parameter.joining(values[item.name], value)
        }
        return try Arguments(checking: values, against: self)
    }

    /// The query string that says these arguments, without its question mark. A list is a repeated
    /// name; one with an element that could be mistaken for a whole list is a JSON array.
    public func query(for arguments: Arguments) -> String {
        parameters.flatMap { parameter -> [String] in
            guard let value = arguments[parameter.name] else { return [] }
            let texts = value.array?.map(\.queryText) ?? [value.queryText]
            let isAmbiguous = texts.isEmpty || texts.contains { $0.isEmpty || $0.hasPrefix("[") }
            guard !parameter.isList || !isAmbiguous else {
                return ["\(parameter.name)=\(percentEncoded(value.jsonText()))"]
            }
            return texts.map { "\(parameter.name)=\(percentEncoded($0))" }
        }.joined(separator: "&")
    }
}

extension Parameter {
    /// Returns the value after the parameter was given another time.
    /// - Throws: ``CommandFault/usage(_:field:)`` if the parameter is not a list.
    package func joining(_ first: JSONValue?, _ second: JSONValue) throws(CommandFault) -> JSONValue
    {
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
    /// The whole number that a text of digits alone means: the standard parser also accepts a
    /// leading plus.
    package var decimalInteger: Int64? {
        wholeMatch(of: #/-?[0-9]+/#) == nil ? nil : Int64(self)
    }

    /// The finite number that the text means in JSON's decimal notation: the standard parser also
    /// accepts hexadecimal digits, a leading plus and words.
    package var decimalNumber: Double? {
        guard wholeMatch(of: #/-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?/#) != nil,
            let number = Double(self), number.isFinite
        else { return nil }
        return number
    }
}

extension StringProtocol {
    /// The text without white space at its ends.
    package var trimmingSpaces: String {
        var rest = self[...]
        while rest.first?.isWhitespace == true { rest = rest.dropFirst() }
        while rest.last?.isWhitespace == true { rest = rest.dropLast() }
        return String(rest)
    }
}

/// Returns a text encoded for a URL: everything but letters, digits and `-._~` as `%XX`.
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

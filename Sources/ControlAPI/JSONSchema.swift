public import Contract

extension Schema {
    /// The schema in JSON Schema 2020-12, as OpenAPI 3.1 contains it.
    public var json: JSONValue {
        switch self {
        case .any: return [:]
        case .boolean: return ["type": "boolean"]
        case .integer(let range):
            return .record([
                "type": "integer",
                "minimum": range.lowerBound == .min ? nil : .integer(range.lowerBound),
                "maximum": range.upperBound == .max ? nil : .integer(range.upperBound),
            ])
        case .number(let range):
            return .record([
                "type": "number", "minimum": range.map { .number($0.lowerBound) },
                "maximum": range.map { .number($0.upperBound) },
            ])
        case .text(let form): return form.json
        case .list(let element, let count):
            return .record([
                "type": "array", "items": element.json,
                "minItems": count.lowerBound == 0 ? nil : .integer(Int64(count.lowerBound)),
                "maxItems": count.upperBound == Self.listCountMax
                    ? nil : .integer(Int64(count.upperBound)),
            ])
        case .object(let members, let countMin):
            let properties = members.map { ($0.name, $0.schema.json) }
            let required = members.filter(\.isRequired).map { JSONValue.string($0.name) }
            return .record([
                "type": "object",
                "properties": .object(Dictionary(properties) { first, _ in first }),
                "required": required.isEmpty ? nil : .array(required),
                "minProperties": countMin == 0 ? nil : .integer(Int64(countMin)),
                "additionalProperties": false,
            ])
        case .map(let value): return ["type": "object", "additionalProperties": value.json]
        }
    }
}

extension TextForm {
    fileprivate var json: JSONValue {
        switch self {
        case .any: return ["type": "string"]
        case .line(let count):
            return Self.text(
                count, pattern: count.contains(0) ? Self.blankLinePattern : Self.linePattern)
        case .lines(let count): return Self.text(count, pattern: Self.linesPattern)
        case .shown(let charactersMax): return Self.shown(charactersMax)
        case .hexadecimal(let digits):
            let (low, high) = (digits.lowerBound, digits.upperBound)
            let count = low == high ? "\(low)" : "\(low),\(high)"
            return ["type": "string", "pattern": .string("^[0-9A-Fa-f]{\(count)}$")]
        case .decimal(let digits):
            let (low, high) = (digits.lowerBound, digits.upperBound)
            let count = low == high ? "\(low)" : "\(low),\(high)"
            return ["type": "string", "pattern": .string("^[0-9]{\(count)}$")]
        case .choice(let words):
            return ["type": "string", "enum": .array(words.map(JSONValue.string))]
        case .path:
            return [
                "type": "string", "pattern": #"^/[^\u0000]*$"#,
                "maxLength": .number(Double(TextForm.pathBytesMax)),
            ]
        }
    }

    /// A text of limited length. The node counts characters as a person does, JSON Schema counts
    /// code points. A text of so many code points never has more characters, so the document
    /// promises less than the node accepts: a longer text of composed letters or emoji.
    private static func text(_ count: ClosedRange<Int>, pattern: String) -> JSONValue {
        [
            "type": "string", "description": .string(characterCount(count)),
            "minLength": .integer(Int64(count.lowerBound)),
            "maxLength": .integer(Int64(count.upperBound)), "pattern": .string(pattern),
        ]
    }

    /// A text of an answer. The document must admit every answer, so `maxLength` is the maximum
    /// number of code points.
    private static func shown(_ charactersMax: Int) -> JSONValue {
        [
            "type": "string",
            "description": .string(
                "At most \(charactersMax) characters as a person counts them (grapheme clusters). "
                    + "maxLength counts code points, of which a character may have several."),
            "minLength": 0,
            "maxLength": .integer(Int64(charactersMax * TextRule.scalarsPerCharacterMax)),
        ]
    }

    private static func characterCount(_ count: ClosedRange<Int>) -> String {
        "\(count.lowerBound) to \(count.upperBound) characters as a person counts them "
            + "(grapheme clusters). maxLength counts code points, so Waggle also accepts longer "
            + "texts in which characters have several."
    }

    /// The control characters, line separators, and marks that change the direction of the text.
    private static let forbidden =
        #"\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069"#
    /// A character that is neither white space nor ignorable. A text that is not blank contains
    /// one.
    private static let visible =
        #"[^\u0000-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5"#
        + #"\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\ufe00-\ufe0f"#
        + #"\ufeff\uffa0\ufff0-\uffff]"#
    private static let linePattern = "^[^\(forbidden)]*\(visible)[^\(forbidden)]*$"
    /// A line that may be blank.
    private static let blankLinePattern = "^[^\(forbidden)]*$"
    private static let linesPattern =
        #"^(?:[^\#(forbidden)]|[\n\t])*\#(visible)(?:[^\#(forbidden)]|[\n\t])*$"#
}

public import Contract

extension JSONValue {
    /// Reads one JSON text according to RFC 8259: no trailing comma, nothing after the value, no
    /// key twice, at most ``APILimits/nestingMax`` levels.
    ///
    /// `JSONDecoder` accepts trailing commas and does not report the position of a mistake.
    /// - Throws: ``JSONFault`` with the line and column of the first wrong byte.
    public init(parsing bytes: some Sequence<UInt8>) throws(JSONFault) {
        var reader = JSONReader(Array(bytes))
        self = try reader.document()
    }
}

/// Reads the bytes of a JSON text once, in order.
struct JSONReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func document() throws(JSONFault) -> JSONValue {
        let value = try value(depth: 0)
        skipSpace()
        guard position == bytes.count else { throw fault("unexpected text after the value") }
        return value
    }

    private mutating func value(depth: Int) throws(JSONFault) -> JSONValue {
        guard depth <= APILimits.nestingMax else {
            throw fault("it nests deeper than \(APILimits.nestingMax) levels")
        }
        skipSpace()
        guard let byte = peek else { throw fault("expected a value, found the end") }
        switch byte {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", is: .boolean(true))
        case UInt8(ascii: "f"): return try literal("false", is: .boolean(false))
        case UInt8(ascii: "n"): return try literal("null", is: .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default: throw fault("expected a value, found \(found)")
        }
    }

    private mutating func object(depth: Int) throws(JSONFault) -> JSONValue {
        var members: [String: JSONValue] = [:]
        position += 1
        skipSpace()
        if consume(UInt8(ascii: "}")) { return .object(members) }
        repeat {
            skipSpace()
            guard peek == UInt8(ascii: "\"") else {
                throw fault("expected a key in double quotes, found \(found)")
            }
            let start = position
            let key = try string()
            skipSpace()
            guard consume(UInt8(ascii: ":")) else {
                throw fault("expected ':' after a key, found \(found)")
            }
            let value = try value(depth: depth + 1)
            guard members.updateValue(value, forKey: key) == nil else {
                throw fault("the key \"\(key)\" is repeated", at: start)
            }
            skipSpace()
        } while consume(UInt8(ascii: ","))
        guard consume(UInt8(ascii: "}")) else {
            throw fault("expected ',' or '}', found \(found)")
        }
        return .object(members)
    }

    private mutating func array(depth: Int) throws(JSONFault) -> JSONValue {
        var elements: [JSONValue] = []
        position += 1
        skipSpace()
        if consume(UInt8(ascii: "]")) { return .array(elements) }
        repeat {
            elements.append(try value(depth: depth + 1))
            skipSpace()
        } while consume(UInt8(ascii: ","))
        guard consume(UInt8(ascii: "]")) else {
            throw fault("expected ',' or ']', found \(found)")
        }
        return .array(elements)
    }

    private mutating func literal(_ word: String, is value: JSONValue) throws(JSONFault)
        -> JSONValue
    {
        guard bytes[position...].starts(with: word.utf8) else {
            throw fault("expected a value, found \(found)")
        }
        position += word.utf8.count
        return value
    }

    private mutating func number() throws(JSONFault) -> JSONValue {
        let start = position
        _ = consume(UInt8(ascii: "-"))
        if !consume(UInt8(ascii: "0")) { try digits() }
        var isWhole = true
        if consume(UInt8(ascii: ".")) {
            isWhole = false
            try digits()
        }
        if consume(UInt8(ascii: "e")) || consume(UInt8(ascii: "E")) {
            isWhole = false
            if !consume(UInt8(ascii: "+")) { _ = consume(UInt8(ascii: "-")) }
            try digits()
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isWhole, let number = Int64(text) { return .integer(number) }
        guard let number = Double(text), number.isFinite else {
            throw fault("this number is too large", at: start)
        }
        return .number(number)
    }

    private mutating func digits() throws(JSONFault) {
        let start = position
        while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
            position += 1
        }
        guard position > start else { throw fault("expected a digit, found \(found)") }
    }
}

extension JSONReader {
    private mutating func string() throws(JSONFault) -> String {
        let start = position
        var text: [UInt8] = []
        position += 1
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                guard let checked = String(validating: text, as: UTF8.self) else {
                    throw fault("this text is not valid UTF-8", at: start)
                }
                return checked
            case UInt8(ascii: "\\"):
                text.append(contentsOf: try escaped())
            case 0..<0x20:
                throw fault("a control character must be escaped in a text")
            default:
                text.append(byte)
                position += 1
            }
        }
        throw fault("this text has no closing quote", at: start)
    }

    private mutating func escaped() throws(JSONFault) -> [UInt8] {
        position += 1
        guard let byte = peek else { throw fault("the text ends after a backslash") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"): return try unicodeScalar()
        default: throw fault("no such escape in a text", at: position - 1)
        }
    }

    /// Reads a scalar after `\u`, with its second half if it is written as a surrogate pair.
    private mutating func unicodeScalar() throws(JSONFault) -> [UInt8] {
        let start = position
        var code = UInt32(try fourHexDigits())
        if (0xD800...0xDBFF).contains(code) {
            guard consume(UInt8(ascii: "\\")), consume(UInt8(ascii: "u")) else {
                throw fault("this surrogate has no second half", at: start)
            }
            let low = UInt32(try fourHexDigits())
            guard (0xDC00...0xDFFF).contains(low) else {
                throw fault("this surrogate has no second half", at: start)
            }
            code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code) else {
            throw fault("this is not a character", at: start)
        }
        return Array(String(Character(scalar)).utf8)
    }

    private mutating func fourHexDigits() throws(JSONFault) -> UInt16 {
        guard bytes.count - position >= 4 else { throw fault("expected four hex digits") }
        let digits = bytes[position..<position + 4]
        guard digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let code = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw fault("expected four hex digits") }
        position += 4
        return code
    }
}

extension JSONReader {
    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func consume(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = peek, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
    }

    private var found: String {
        guard let byte = peek else { return "the end" }
        guard (0x21..<0x7F).contains(byte) else { return "byte \(byte)" }
        return "'\(Character(Unicode.Scalar(byte)))'"
    }

    private func fault(_ problem: String, at place: Int? = nil) -> JSONFault {
        let before = bytes[..<(place ?? position)]
        let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        return JSONFault(
            line: before.count { $0 == 0x0A } + 1, column: before.count - lineStart + 1,
            problem: problem)
    }
}

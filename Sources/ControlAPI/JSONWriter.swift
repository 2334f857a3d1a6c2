public import Contract

extension JSONValue {
    /// Returns the value as JSON text with sorted keys. A number that is not finite, which JSON
    /// cannot express, becomes null.
    /// - Parameter isIndented: whether every member is on its own line.
    public func jsonText(isIndented: Bool = false) -> String {
        var writer = JSONWriter(isIndented: isIndented)
        writer.write(self, depth: 0)
        return writer.text
    }
}

/// Writes JSON text, one value after another.
struct JSONWriter {
    private(set) var text = ""
    private let isIndented: Bool

    init(isIndented: Bool) {
        self.isIndented = isIndented
    }

    mutating func write(_ value: JSONValue, depth: Int) {
        switch value {
        case .null: text += "null"
        case .boolean(let isTrue): text += isTrue ? "true" : "false"
        case .integer(let number): text += String(number)
        case .number(let number): text += number.isFinite ? Self.digits(number) : "null"
        case .string(let string): write(string)
        case .array(let elements):
            writeList("[", elements, "]", depth: depth) { writer, element in
                writer.write(element, depth: depth + 1)
            }
        case .object(let members):
            writeList("{", members.sorted { $0.key < $1.key }, "}", depth: depth) {
                writer, member in
                writer.write(member.key)
                writer.text += writer.isIndented ? ": " : ":"
                writer.write(member.value, depth: depth + 1)
            }
        }
    }

    /// Returns the shortest digits that read back as the same number; whole numbers have no
    /// fraction, and zero has no sign.
    private static func digits(_ number: Double) -> String {
        let text = String(number.isZero ? 0 : number)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    private mutating func writeList<Element>(
        _ open: String, _ elements: [Element], _ close: String, depth: Int,
        each write: (inout JSONWriter, Element) -> Void
    ) {
        text += open
        for (index, element) in elements.enumerated() {
            if index > 0 { text += "," }
            breakLine(depth + 1)
            write(&self, element)
        }
        if !elements.isEmpty { breakLine(depth) }
        text += close
    }

    private mutating func breakLine(_ depth: Int) {
        guard isIndented else { return }
        text += "\n" + String(repeating: "  ", count: depth)
    }

    private mutating func write(_ string: String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\u{0}"..<"\u{20}", "\u{7F}"..."\u{9F}": text += Self.escape(scalar.value)
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }

    private static func escape(_ code: UInt32) -> String {
        let digits = String(code, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}

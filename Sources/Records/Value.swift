/// The value of a field.
public enum Value: Hashable, Sendable {
    /// No value: a cleared field.
    case null
    /// True or false.
    case boolean(Bool)
    /// A whole number.
    case integer(Int64)
    /// A finite number; zero is never negative.
    case real(Double)
    /// Text, encoded as UTF-8.
    case text(String)
    /// Bytes.
    case bytes([UInt8])
    /// A list of up to ``Limits/listElementsMax`` values that are not lists.
    case list([Value])
}

// The first byte of a value: the type in the upper three bits; in the lower five the constant
// itself or a length of 0 to 30, or 31 if a varint length follows.
extension Value {
    private enum Kind {
        static let simple: UInt8 = 0
        static let integer: UInt8 = 1
        static let text: UInt8 = 2
        static let bytes: UInt8 = 3
        static let list: UInt8 = 4
    }

    private static let longLength: UInt8 = 31

    /// Appends the canonical encoding of this value.
    public func encode(into bytes: inout [UInt8]) {
        switch self {
        case .null: bytes.append(0)
        case .boolean(let value): bytes.append(value ? 2 : 1)
        case .real(let value):
            bytes.append(3)
            bytes.append(bigEndian: (value == 0 ? 0 : value).bitPattern)
        case .integer(let value):
            bytes.append(Kind.integer << 5)
            bytes.append(zigzag: value)
        case .text(let value):
            Value.appendHead(Kind.text, value.utf8.count, to: &bytes)
            bytes.append(contentsOf: value.utf8)
        case .bytes(let value):
            Value.appendHead(Kind.bytes, value.count, to: &bytes)
            bytes.append(contentsOf: value)
        case .list(let elements):
            Value.appendHead(Kind.list, elements.count, to: &bytes)
            for element in elements { element.encode(into: &bytes) }
        }
    }

    /// Reads one value.
    public init(from reader: inout ByteReader) throws(RecordFault) {
        try self.init(from: &reader, insideList: false)
    }

    private init(from reader: inout ByteReader, insideList: Bool) throws(RecordFault) {
        let head = try reader.byte()
        let (kind, low) = (head >> 5, head & 31)
        switch kind {
        case Kind.simple: self = try Value.simple(low, &reader)
        case Kind.integer where low == 0: self = .integer(try reader.zigzag())
        case Kind.text:
            let count = try Value.length(low, &reader, limit: Limits.valueBytesMax)
            self = .text(try ByteReader.utf8(try reader.bytes(count)))
        case Kind.bytes:
            let count = try Value.length(low, &reader, limit: Limits.valueBytesMax)
            self = .bytes(Array(try reader.bytes(count)))
        case Kind.list where !insideList:
            let count = try Value.length(low, &reader, limit: Limits.listElementsMax)
            var elements: [Value] = []
            for _ in 0..<count { elements.append(try Value(from: &reader, insideList: true)) }
            self = .list(elements)
        default: throw .unknownTag("value", UInt64(head))
        }
    }

    private static func appendHead(_ kind: UInt8, _ count: Int, to bytes: inout [UInt8]) {
        if count < Int(longLength) {
            bytes.append(kind << 5 | UInt8(count))
        } else {
            bytes.append(kind << 5 | longLength)
            bytes.append(varint: UInt64(count))
        }
    }

    private static func length(
        _ low: UInt8, _ reader: inout ByteReader, limit: Int
    ) throws(RecordFault) -> Int {
        guard low == longLength else { return Int(low) }
        let count = try reader.count("a value's length", limit: limit)
        guard count >= Int(longLength) else { throw .notCanonical("a length in its long form") }
        return count
    }

    private static func simple(
        _ low: UInt8, _ reader: inout ByteReader
    ) throws(RecordFault) -> Value {
        switch low {
        case 0: return .null
        case 1: return .boolean(false)
        case 2: return .boolean(true)
        case 3:
            let bits = try reader.integer(UInt64.self)
            let number = Double(bitPattern: bits)
            guard number.isFinite, number != 0 || bits == 0 else {
                throw .notCanonical("a number that is not finite, or a negative zero")
            }
            return .real(number)
        default: throw .unknownTag("value", UInt64(low))
        }
    }
}

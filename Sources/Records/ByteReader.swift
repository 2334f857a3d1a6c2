/// Reads values from the front of untrusted bytes. It never traps.
public struct ByteReader {
    private let bytes: [UInt8]
    private let end: Int
    /// The number of bytes read so far.
    public private(set) var position: Int

    /// Creates a reader of a whole array.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
        self.end = bytes.count
        self.position = 0
    }

    /// The number of bytes not read yet.
    public var remaining: Int { end - position }

    /// Whether all bytes were read.
    public var isAtEnd: Bool { position == end }

    /// Reads one byte.
    public mutating func byte() throws(RecordFault) -> UInt8 {
        guard position < end else { throw .truncated }
        defer { position += 1 }
        return bytes[position]
    }

    /// Reads the next `count` bytes.
    public mutating func bytes(_ count: Int) throws(RecordFault) -> ArraySlice<UInt8> {
        guard count >= 0, count <= remaining else { throw .truncated }
        defer { position += count }
        return bytes[position..<position + count]
    }

    /// Returns bytes that were already read, from an earlier position to the current one.
    public func slice(from start: Int) -> ArraySlice<UInt8> { bytes[start..<position] }

    /// Reads a big-endian integer.
    public mutating func integer<Integer: FixedWidthInteger & UnsignedInteger>(
        _ type: Integer.Type
    ) throws(RecordFault) -> Integer {
        let count = Integer.bitWidth / 8
        guard count <= remaining else { throw .truncated }
        defer { position += count }
        var value: Integer = 0
        for index in position..<position + count {
            value = value << 8 | Integer(truncatingIfNeeded: bytes[index])
        }
        return value
    }

    /// Reads an unsigned LEB128 integer. Only its shortest encoding is accepted.
    public mutating func varint() throws(RecordFault) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let next = try byte()
            if shift == 63, next > 1 { throw .notCanonical("a varint over 64 bits") }
            value |= UInt64(next & 0x7f) << shift
            if next & 0x80 == 0 {
                if next == 0, shift > 0 { throw .notCanonical("a varint with a leading zero") }
                return value
            }
            shift += 7
        }
    }

    /// Reads a varint that is a count or length. It is refused above `limit`, before any
    /// allocation.
    public mutating func count(_ what: String, limit: Int) throws(RecordFault) -> Int {
        let value = try varint()
        guard value <= UInt64(limit) else { throw .overLimit(what, limit: limit) }
        return Int(value)
    }

    /// Reads a zigzag-encoded signed integer.
    public mutating func zigzag() throws(RecordFault) -> Int64 {
        let value = try varint()
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }

    /// Reads an identifier of 32 bytes.
    public mutating func identifier<ID: Identifier32>(_ type: ID.Type) throws(RecordFault) -> ID {
        guard let id = ID(bytes: try bytes(32)) else { throw .truncated }
        return id
    }

    /// Reads an identifier of 16 bytes.
    public mutating func identifier<ID: Identifier16>(_ type: ID.Type) throws(RecordFault) -> ID {
        guard let id = ID(bytes: try bytes(16)) else { throw .truncated }
        return id
    }

    /// Reads text that is preceded by its length in bytes.
    public mutating func text(_ what: String, limit: Int) throws(RecordFault) -> String {
        try ByteReader.utf8(try bytes(count(what, limit: limit)))
    }

    /// Checks that no bytes are left.
    public func finish() throws(RecordFault) {
        guard isAtEnd else { throw .trailingBytes(count: remaining) }
    }

    /// Decodes text and refuses bytes that are not UTF-8.
    static func utf8(_ bytes: ArraySlice<UInt8>) throws(RecordFault) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8 }
        return text
    }
}

extension [UInt8] {
    /// Appends an unsigned LEB128 integer in its shortest encoding.
    public mutating func append(varint value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(truncatingIfNeeded: rest))
    }

    /// Appends a zigzag-encoded signed integer.
    public mutating func append(zigzag value: Int64) {
        append(varint: UInt64(bitPattern: value << 1 ^ value >> 63))
    }

    /// Appends text, preceded by its length in bytes.
    public mutating func append(text: String) {
        append(varint: UInt64(text.utf8.count))
        append(contentsOf: text.utf8)
    }
}

public import PluginKit

/// A card on the wire: fields of a profile, each a number and a value in the record format, in
/// ascending order. A card without fields shares nothing.
public struct DropCard: Hashable, Sendable {
    /// Values by the profile's names, unchecked if they came from outside.
    public let fields: [String: JSONValue]

    /// The names by their number on the wire, from 1. The order never changes; new ones follow.
    static let names = ["nickname", "dogName", "age", "sex", "neutered", "size", "keywords"]

    /// A card of these fields; one without a number on the wire is left out.
    public init(_ fields: [String: JSONValue]) {
        self.fields = fields.filter { Self.names.contains($0.key) }
    }

    /// The encoding of the card; there is only one.
    public var encoded: [UInt8] {
        var bytes: [UInt8] = []
        for (index, name) in Self.names.enumerated() {
            guard let value = fields[name].flatMap({ Records.Value($0) }) else { continue }
            bytes.append(varint: UInt64(index + 1))
            value.encode(into: &bytes)
        }
        return bytes
    }

    /// Reads a card; fields of numbers that a newer side uses are skipped.
    /// - Throws: ``RecordFault`` for too many bytes or fields, falling numbers, ill-formed values.
    public init(decoding bytes: [UInt8]) throws(RecordFault) {
        guard bytes.count <= DropLimits.cardBytesMax else {
            throw .overLimit("a card's bytes", limit: DropLimits.cardBytesMax)
        }
        var reader = ByteReader(bytes)
        var fields: [String: JSONValue] = [:]
        var (last, count): (UInt64, Int) = (0, 0)
        while !reader.isAtEnd {
            let number = try reader.varint()
            guard number > last else { throw .notCanonical("the order of a card's fields") }
            let value = try Records.Value(from: &reader)
            (last, count) = (number, count + 1)
            guard count <= DropLimits.cardFieldsMax else {
                throw .overLimit("a card's fields", limit: DropLimits.cardFieldsMax)
            }
            if number <= UInt64(Self.names.count) {
                fields[Self.names[Int(number) - 1]] = JSONValue(value)
            }
        }
        self.fields = fields
    }
}

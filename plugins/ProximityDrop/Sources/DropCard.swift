public import PluginKit

/// A card on the wire: fields of a profile, each a number and a value in the record format, in
/// ascending order. A card without fields shares nothing.
public struct DropCard: Hashable, Sendable {
    /// The fields. Those of a card from outside are not cut to their limits.
    public let fields: ProfileFields

    /// The fields by their number on the wire. The order never changes; new ones follow.
    fileprivate enum Number: UInt64, CaseIterable {
        case nickname = 1
        case dogName, age, sex, neutered, size, keywords
    }

    /// Creates a card of these fields.
    public init(_ fields: ProfileFields) { self.fields = fields }

    /// A card without fields.
    public static let empty = DropCard(ProfileFields())

    /// The encoding of the card; there is only one.
    public var encoded: [UInt8] {
        var bytes: [UInt8] = []
        for number in Number.allCases {
            guard let value = number.value(in: fields) else { continue }
            bytes.append(varint: number.rawValue)
            value.encode(into: &bytes)
        }
        return bytes
    }

    /// Reads a card. Fields of numbers that a newer side uses are skipped, and so are values of
    /// another type and words that this version does not know.
    /// - Throws: ``RecordFault`` for too many bytes or fields, falling numbers, ill-formed values.
    public init(decoding bytes: [UInt8]) throws(RecordFault) {
        guard bytes.count <= DropLimits.cardBytesMax else {
            throw .overLimit("a card's bytes", limit: DropLimits.cardBytesMax)
        }
        var reader = ByteReader(bytes)
        var fields = ProfileFields()
        var (last, count): (UInt64, Int) = (0, 0)
        while !reader.isAtEnd {
            let number = try reader.varint()
            guard number > last else { throw .notCanonical("the order of a card's fields") }
            let value = try Records.Value(from: &reader)
            (last, count) = (number, count + 1)
            guard count <= DropLimits.cardFieldsMax else {
                throw .overLimit("a card's fields", limit: DropLimits.cardFieldsMax)
            }
            Number(rawValue: number)?.set(value, in: &fields)
        }
        self.fields = fields
    }
}

extension DropCard.Number {
    /// Returns the value of the field; nil if it has none.
    func value(in fields: ProfileFields) -> Records.Value? {
        switch self {
        case .nickname: fields.nickname.map { .text($0) }
        case .dogName: fields.dogName.map { .text($0) }
        case .age: fields.age.map { .integer(Int64($0)) }
        case .sex: fields.sex.map { .text($0.rawValue) }
        case .neutered: fields.neutered.map { .boolean($0) }
        case .size: fields.size.map { .text($0.rawValue) }
        case .keywords: fields.keywords.map { .list($0.map { .text($0.rawValue) }) }
        }
    }

    /// Sets the field to a received value, if the value has its type.
    func set(_ value: Records.Value, in fields: inout ProfileFields) {
        switch (self, value) {
        case (.nickname, .text(let text)): fields.nickname = text
        case (.dogName, .text(let text)): fields.dogName = text
        case (.age, _): fields.age = JSONValue(value)?.integer.map { Int($0) }
        case (.sex, .text(let word)): fields.sex = DogSex(rawValue: word)
        case (.neutered, .boolean(let isNeutered)): fields.neutered = isNeutered
        case (.neutered, .integer(let number)): fields.neutered = number != 0
        case (.size, .text(let word)): fields.size = DogSize(rawValue: word)
        case (.keywords, .list(let elements)):
            fields.keywords = elements.compactMap { element in
                if case .text(let word) = element { DogKeyword(rawValue: word) } else { nil }
            }
        default: break
        }
    }
}

public import PluginKit

/// A card on the wire: fields of a profile, each its number and its value in the record format, in
/// ascending order. A card without fields shares nothing.
public struct DropCard: Hashable, Sendable {
    /// The fields. Those of a card from outside are not cut to their limits.
    public let fields: ProfileFields
    /// Whether the sender reads thumbnails of photos, which it is sent apart from the card.
    public let readsThumbnails: Bool

    /// The number that says so; it is no field of the profile, and older sides skip it.
    private static let readsThumbnailsNumber: UInt64 = 8

    /// Creates a card of these fields.
    public init(_ fields: ProfileFields, readsThumbnails: Bool = false) {
        self.fields = fields
        self.readsThumbnails = readsThumbnails
    }

    /// Whether it shares nothing.
    public var isEmpty: Bool { fields == ProfileFields() }

    /// The card that shares nothing, of the same sender.
    public var withoutFields: DropCard {
        DropCard(ProfileFields(), readsThumbnails: readsThumbnails)
    }

    /// The encoding of the card; there is only one.
    public var encoded: [UInt8] {
        var bytes: [UInt8] = []
        for field in ProfileField.allCases {
            guard let value = field.value(in: fields) else { continue }
            bytes.append(varint: field.number)
            value.encode(into: &bytes)
        }
        if readsThumbnails {
            bytes.append(varint: Self.readsThumbnailsNumber)
            Records.Value.boolean(true).encode(into: &bytes)
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
        var readsThumbnails = false
        var (last, count): (UInt64, Int) = (0, 0)
        while !reader.isAtEnd {
            let number = try reader.varint()
            guard number > last else { throw .notCanonical("the order of a card's fields") }
            let value = try Records.Value(from: &reader)
            (last, count) = (number, count + 1)
            guard count <= DropLimits.cardFieldsMax else {
                throw .overLimit("a card's fields", limit: DropLimits.cardFieldsMax)
            }
            if number == Self.readsThumbnailsNumber { readsThumbnails = value == .boolean(true) }
            ProfileField(number: number)?.set(value, in: &fields)
        }
        self.fields = fields
        self.readsThumbnails = readsThumbnails
    }
}

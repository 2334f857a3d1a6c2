internal import MatchingAPI
internal import PluginKit

/// The card of a person who looks, for others who look: wishes, rounded location, age and gender.
///
/// The encoding is the number of wishes, each wish with its length in bytes, a byte of flags (bit 0
/// a location follows, bit 1 an age, bit 2 a gender), the location as two signed 32-bit integers of
/// 10⁻⁵ degrees, the age, the gender (1 female, 2 male, 3 other), and the number of reviews that
/// the person shows.
struct MatchCard: Hashable, Sendable {
    /// The wishes; none means anything.
    var wishes: [String] = []
    /// The location, rounded by its sender.
    var location: RoundedLocation?
    /// The age in years.
    var age: Int?
    /// The gender.
    var gender: MatchingGender?
    /// The number of reviews that the person shows.
    var reviewCount = 0

    /// The maximum length of one wish, in bytes.
    static let wishBytesMax = 512
    private static let (hasLocation, hasAge, hasGender): (UInt8, UInt8, UInt8) = (1, 2, 4)

    /// The card's bytes.
    var encoded: [UInt8] {
        var bytes = [UInt8(clamping: wishes.count)]
        for wish in wishes {
            bytes.append(varint: UInt64(wish.utf8.count))
            bytes += Array(wish.utf8)
        }
        bytes.append(
            (location == nil ? 0 : Self.hasLocation) | (age == nil ? 0 : Self.hasAge)
                | (gender == nil ? 0 : Self.hasGender))
        if let location { bytes += location.encoded }
        if let age { bytes.append(UInt8(clamping: age)) }
        if let gender { bytes.append(gender.code) }
        bytes.append(UInt8(clamping: reviewCount))
        return bytes
    }
}

extension MatchCard {
    /// Reads a card and keeps what may be shown: a wish that breaks its rule is left out, and so is
    /// an age out of range.
    /// - Throws: ``RecordFault``, in the order number of wishes, each wish, flags, parts.
    init(from reader: inout ByteReader) throws(RecordFault) {
        let count = Int(try reader.byte())
        guard count <= WishList.countMax else {
            throw .overLimit("a person's wishes", limit: WishList.countMax)
        }
        var texts: [String] = []
        for _ in 0..<count {
            texts.append(try reader.text("a wish's bytes", limit: Self.wishBytesMax))
        }
        wishes = TextsOfOthers.wishes(texts)
        let flags = try reader.byte()
        guard flags < 8 else { throw .unknownTag("flags of a card", UInt64(flags)) }
        if flags & Self.hasLocation != 0 { location = try RoundedLocation(from: &reader) }
        if flags & Self.hasAge != 0 {
            let years = Int(try reader.byte())
            age = (MatchingAge.min...MatchingAge.max).contains(years) ? years : nil
        }
        if flags & Self.hasGender != 0 { gender = MatchingGender(code: try reader.byte()) }
        reviewCount = min(Int(try reader.byte()), ReviewLimits.shownMax)
    }
}

extension MatchingGender {
    /// The byte on the wire.
    fileprivate var code: UInt8 {
        switch self {
        case .female: 1
        case .male: 2
        case .other: 3
        }
    }

    fileprivate init?(code: UInt8) {
        guard let gender = Self.allCases.first(where: { $0.code == code }) else { return nil }
        self = gender
    }
}

internal import InterestsAPI

/// A set of interests, as it is announced: bit ``Interest/index`` of 11 bytes, lowest bit first.
///
/// ```swift
/// InterestSet([.games, .netflix, .cooking, .yoga, .collarbones])?.bytes[0]  // 0b0100_0001
/// ```
struct InterestSet: Hashable, Sendable {
    private let bits: UInt128

    /// The length of an announcement, in bytes.
    static let bytesCount = (Interest.count + 7) / 8

    private static let mask: UInt128 = (1 << UInt128(Interest.count)) - 1

    /// Creates the set of 5 to 10 interests; nil for another number.
    init?(_ interests: [Interest]) {
        self.init(bits: interests.reduce(0) { $0 | 1 << UInt128($1.index) })
    }

    /// Reads an announcement. A bit beyond the interests is ignored.
    /// - Returns: nil for another length, or for another number of interests than a person can
    ///   choose.
    init?(announced bytes: [UInt8]) {
        guard bytes.count == Self.bytesCount else { return nil }
        self.init(bits: bytes.reversed().reduce(0) { $0 << 8 | UInt128($1) } & Self.mask)
    }

    private init?(bits: UInt128) {
        guard ChosenInterests.count.contains(bits.nonzeroBitCount) else { return nil }
        self.bits = bits
    }

    /// The bytes to announce.
    var bytes: [UInt8] {
        (0..<Self.bytesCount).map { UInt8(truncatingIfNeeded: bits >> UInt128(8 * $0)) }
    }

    /// Returns the number of interests that both sets have.
    func commonCount(with other: InterestSet) -> Int { (bits & other.bits).nonzeroBitCount }

    /// Returns the interests that both sets have, in the order of their index.
    func common(with other: InterestSet) -> [Interest] {
        let both = bits & other.bits
        return Interest.allCases.filter { both >> UInt128($0.index) & 1 == 1 }
    }
}

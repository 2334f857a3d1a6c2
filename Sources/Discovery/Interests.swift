/// The interests a visible person announces: some of a fixed, ordered list, as bits.
public struct Interests: Hashable, Sendable {
    /// The length of the fixed list; an interest is an index below it.
    public static let listCount = 87
    /// How many interests a person may choose.
    public static let chosenCount = 5...10

    /// The indices, ascending.
    public let indices: [Int]

    /// Takes 5 to 10 different indices below 87, in any order; nil for anything else.
    public init?(_ indices: some Sequence<Int>) {
        var chosen: Set<Int> = []
        for index in indices {
            guard (0..<Self.listCount).contains(index), chosen.insert(index).inserted,
                chosen.count <= Self.chosenCount.upperBound
            else { return nil }
        }
        guard Self.chosenCount.contains(chosen.count) else { return nil }
        self.indices = chosen.sorted()
    }

    /// Hexadecimal digits of the bits: digit d holds the interests 4d to 4d + 3, lowest bit first.
    static let digitCount = (listCount + 3) / 4

    /// The wire text, always ``digitCount`` digits.
    var hexadecimal: String {
        var digits = [Int](repeating: 0, count: Self.digitCount)
        for index in indices { digits[index / 4] |= 1 << (index % 4) }
        return digits.map { String($0, radix: 16) }.joined()
    }

    /// Reads the wire text; nil where it is not exactly what ``hexadecimal`` writes.
    init?(hexadecimal text: String) {
        guard text.utf8.count == Self.digitCount else { return nil }
        var indices: [Int] = []
        for (position, character) in text.enumerated() {
            guard let digit = character.hexDigitValue else { return nil }
            indices += (0..<4).filter { digit >> $0 & 1 == 1 }.map { 4 * position + $0 }
        }
        self.init(indices)
        guard hexadecimal == text else { return nil }
    }
}

/// The picture of a person who has none: a pattern drawn from their key.
struct AvatarPattern: Equatable, Sendable {
    /// Cells across and down.
    static let side = 5
    /// The filled cells, row by row; left and right mirror each other.
    let cells: [[Bool]]

    /// Creates the pattern of a key: the same for the same text, everywhere.
    init(key: String) {
        var bits = Self.hash(key)
        cells = (0..<Self.side).map { _ in
            let half = (0...Self.side / 2).map { _ in
                defer { bits >>= 1 }
                return bits & 1 == 1
            }
            return half + half.dropLast().reversed()
        }
    }

    /// FNV-1a with 64 bits, its halves folded.
    private static func hash(_ text: String) -> UInt64 {
        let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3
        }
        return hash ^ (hash >> 32)
    }
}

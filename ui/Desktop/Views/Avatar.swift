import GtkKit

/// The picture of somebody who has none: a pattern drawn from their key.
struct AvatarPattern: Equatable, Sendable {
    /// Cells across and down.
    static let side = 5
    /// Which cells are filled, row by row; left and right mirror each other.
    let cells: [[Bool]]

    /// The pattern of a key: the same for the same text, everywhere.
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

/// Draws an ``AvatarPattern`` in the theme's colours.
@MainActor
final class Avatar: Canvas {
    private let pattern: AvatarPattern

    /// The avatar of a key, `pixels` square.
    init(key: String, pixels: Int32 = 44) {
        pattern = AvatarPattern(key: key)
        super.init(isFocusable: false)
        minimum(width: pixels, height: pixels).aligned(.centre, .start)
    }

    override func paint(_ painter: Painter) {
        let ink = colour(.selected).mixed(0.3, of: colour(.foreground))
        painter.fill(Point(x: 0, y: 0), painter.size, radius: 8, ink.opacity(0.16))
        let cell = (painter.size.width - 12) / Double(AvatarPattern.side)
        for (row, cells) in pattern.cells.enumerated() {
            for (column, isFilled) in cells.enumerated() where isFilled {
                let origin = Point(x: 6 + Double(column) * cell, y: 6 + Double(row) * cell)
                painter.fill(origin, Size(width: cell + 0.5, height: cell + 0.5), ink)
            }
        }
    }
}

import GtkKit

/// Draws an ``AvatarPattern`` in the theme's colours.
@MainActor
final class Avatar: Canvas {
    private let pattern: AvatarPattern

    /// Creates the avatar of a key, `pixels` square.
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

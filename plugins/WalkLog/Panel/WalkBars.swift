import GtkKit
import PanelKit

/// A bar for each week or month: its height is the distance of the walks.
@MainActor
final class WalkBars: Canvas {
    private var metres: [Double] = []

    /// The height of the chart, in pixels.
    private static let pixels: Int32 = 72
    private static let gap = 4.0
    /// The height of the bar of a span without walks, in pixels.
    private static let emptyPixels = 2.0

    init() {
        super.init(isFocusable: false)
        minimum(width: 0, height: Self.pixels)
        role(.picture)
    }

    /// Shows distances in metres, the present span on the right.
    func show(_ shown: [Double]) {
        guard shown != metres else { return }
        metres = shown
        redraw()
    }

    override func paint(_ painter: Painter) {
        guard let longest = metres.max(), !metres.isEmpty else { return }
        let width = painter.size.width / Double(metres.count)
        let ink = colour(.selected).mixed(0.3, of: colour(.text))
        for (index, length) in metres.enumerated() {
            let share = longest > 0 ? length / longest : 0
            let height = max(Self.emptyPixels, share * painter.size.height)
            let isPresent = index == metres.count - 1
            painter.fill(
                Point(x: Double(index) * width + Self.gap / 2, y: painter.size.height - height),
                Size(width: max(1, width - Self.gap), height: height), radius: 2,
                isPresent ? ink : ink.opacity(0.5))
        }
    }
}

/// The division of the window's width. Below 900 pixels the list of pages shows icons only; below
/// 600 one thing is shown at a time, and the list lies at the bottom.
enum WindowShape: Equatable {
    /// The list of pages with titles, a page and the map beside each other.
    case wide
    /// The same with icons in place of titles.
    case compact
    /// A page or the map, over a list of icons.
    case narrow

    /// The shape of a window this wide.
    /// - Parameter width: in pixels.
    init(width: Double) {
        self = width < 600 ? .narrow : width < 900 ? .compact : .wide
    }

    /// The width of a page beside the map in a window this wide, in pixels.
    static func pageWidth(in width: Double) -> Int32 {
        WindowShape(width: width) == .narrow
            ? 0 : Int32(min(max(width * 0.4, pageWidths.lowerBound), pageWidths.upperBound))
    }

    /// The widths of a page beside the map, in pixels.
    private static let pageWidths = 360.0...440.0
}

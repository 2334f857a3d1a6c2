import GtkKit

/// The parts of the map that widgets above it cover, in pixels.
struct MapCover: Equatable, Sendable {
    /// The height at the bottom.
    var footPixels = 0.0
    /// The size of the buttons in the upper corner at the end, with the space around them.
    var buttons = Size(width: 0, height: 0)

    /// Returns the frame of the buttons on a map of a size.
    func buttonsFrame(on map: Size) -> Frame {
        Frame(origin: Point(x: map.width - buttons.width, y: 0), size: buttons)
    }
}

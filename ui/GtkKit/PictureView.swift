/// A picture, shown whole in the middle of the space it gets.
///
/// It keeps the shape of the picture, and is never larger than its pixels.
public final class PictureView: Canvas {
    /// The picture; nil shows nothing.
    public var picture: Picture? {
        didSet { redraw() }
    }

    /// Creates a view without a picture.
    /// - Parameter name: the name that a screen reader says.
    public init(name: String) {
        super.init(isFocusable: false)
        role(.picture).named(name)
    }

    /// Paints the picture.
    public override func paint(_ painter: Painter) {
        guard let picture else { return }
        let frame = Self.frame(of: picture.size, within: size)
        painter.draw(
            picture, part: (Point(x: 0, y: 0), picture.size), at: frame.origin, frame.size)
    }

    /// Returns the place of a picture within a space. A space without pixels shows nothing.
    ///
    ///     frame(of: Size(width: 400, height: 200), within: Size(width: 200, height: 200))
    ///     // 200 × 100 at (0, 50)
    package nonisolated static func frame(
        of picture: Size, within space: Size
    ) -> (origin: Point, size: Size) {
        let scale = min(space.width / picture.width, space.height / picture.height, 1)
        let size = Size(width: picture.width * scale, height: picture.height * scale)
        let origin = Point(
            x: (space.width - size.width) / 2, y: (space.height - size.height) / 2)
        return (origin, size)
    }
}

/// A position on a canvas, in pixels from its top left corner.
public struct Point: Equatable, Sendable {
    /// Pixels to the right.
    public var x: Double
    /// Pixels down.
    public var y: Double

    /// Creates a point at `x` pixels to the right and `y` down.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// Width and height in pixels.
public struct Size: Equatable, Sendable {
    /// Pixels across.
    public var width: Double
    /// Pixels down.
    public var height: Double

    /// Creates a size in pixels.
    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }
}

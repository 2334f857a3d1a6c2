/// The width and height of a picture, in pixels.
public struct PhotoSize: Hashable, Sendable {
    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int

    /// Creates a size.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// The number of pixels. Both sides are below 2³¹, so this never overflows.
    public var pixelsCount: Int { width * height }

    /// Whether both sides are at most those of another size.
    public func isWithin(_ other: PhotoSize) -> Bool {
        width <= other.width && height <= other.height
    }

    /// Returns the largest size of the same shape within `box`. It is never larger than this one,
    /// and no side is below one pixel.
    ///
    ///     PhotoSize(width: 4000, height: 3000).fitted(into: PhotoSize(width: 392, height: 591))
    ///     // 392 × 294
    public func fitted(into box: PhotoSize) -> PhotoSize {
        guard !isWithin(box) else { return self }
        let scale = min(Double(box.width) / Double(width), Double(box.height) / Double(height))
        return PhotoSize(
            width: min(max(Int((Double(width) * scale).rounded()), 1), box.width),
            height: min(max(Int((Double(height) * scale).rounded()), 1), box.height))
    }
}

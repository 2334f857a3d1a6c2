/// A decoded picture, ready to be shown.
public struct PhotoPixels: Equatable, Sendable {
    /// The size in pixels.
    public let size: PhotoSize
    /// Red, green and blue of each pixel, row by row from the top, without gaps.
    public let rgb: [UInt8]

    /// Creates a picture.
    public init(size: PhotoSize, rgb: [UInt8]) {
        self.size = size
        self.rgb = rgb
    }
}

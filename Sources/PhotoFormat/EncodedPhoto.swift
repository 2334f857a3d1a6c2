/// A photo that was decoded and encoded anew: right way up, without metadata, within the limits of
/// its use.
public struct EncodedPhoto: Equatable, Sendable {
    /// The media type of each encoded photo.
    public static let kind = "image/jpeg"

    /// The size of the photo in pixels.
    public let size: PhotoSize
    /// The photo, as JPEG.
    public let jpeg: [UInt8]
    /// The middle of the photo in ``PhotoLimits/thumbnailSize``, as JPEG.
    public let thumbnail: [UInt8]

    /// Creates a photo.
    public init(size: PhotoSize, jpeg: [UInt8], thumbnail: [UInt8]) {
        self.size = size
        self.jpeg = jpeg
        self.thumbnail = thumbnail
    }
}

/// A thumbnail that a record holds: a JPEG that was checked without decoding it.
///
/// Records come from other people's devices. What passes here is short and has the size of a
/// thumbnail by its header; it is still decoded by a worker only.
///
/// ```swift
/// let thumbnail = row.bytes("thumbnail").flatMap(PhotoThumbnail.init)  // nil: show no photo
/// ```
public struct PhotoThumbnail: Hashable, Sendable {
    /// The JPEG.
    public let jpeg: [UInt8]

    /// Checks a thumbnail; nil if it has over ``PhotoLimits/thumbnailBytesMax`` bytes, is not a
    /// JPEG of ``PhotoLimits/thumbnailSize``, or carries more than the picture.
    public init?(_ jpeg: [UInt8]) {
        let (size, bytesMax) = (PhotoLimits.thumbnailSize, PhotoLimits.thumbnailBytesMax)
        guard JPEGStructure.isBare(jpeg, size, bytesMax: bytesMax) else { return nil }
        self.jpeg = jpeg
    }
}

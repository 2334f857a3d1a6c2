/// The format and size of a picture that may be decoded, read from its bytes without decoding them.
///
/// ```swift
/// let header = try PhotoHeader(bytes)
/// let picture = bytes[..<header.bytesCount]
/// ```
///
/// The structure is checked to the end of the picture, because gdk-pixbuf returns the memory of
/// rows that an incomplete picture does not have. An animated PNG counts as its first picture, and
/// bytes after the end of the picture, such as the video of a moving photo, do not belong to it.
public struct PhotoHeader: Equatable, Sendable {
    /// A format that is decoded. The raw value is gdk-pixbuf's name.
    public enum Format: String, Sendable {
        /// JPEG, by Huffman codes or arithmetic ones.
        case jpeg
        /// Portable Network Graphics.
        case png
    }

    /// The format.
    public let format: Format
    /// The size in pixels, as stored: a JPEG may say that it has to be turned.
    public let size: PhotoSize
    /// The number of bytes from the beginning to the end of the picture.
    public let bytesCount: Int

    /// Reads the header of a picture, and checks its structure.
    /// - Throws: the first ``PhotoRefusal`` found, in the order length, format, size, structure.
    public init(_ bytes: [UInt8]) throws(PhotoRefusal) {
        guard bytes.count <= PhotoLimits.inputBytesMax else { throw .tooLong }
        if bytes.starts(with: PNGStructure.signature) {
            let found = try PNGStructure(bytes)
            (format, size, bytesCount) = (.png, found.size, found.end)
        } else if bytes.starts(with: JPEGStructure.signature) {
            let found = try JPEGStructure(bytes)
            (format, size, bytesCount) = (.jpeg, found.size, found.end)
        } else {
            throw .unknownFormat
        }
    }

    /// Checks a size that a header says.
    /// - Throws: ``PhotoRefusal/damaged`` if a side is 0, ``PhotoRefusal/tooManyPixels``.
    static func check(width: Int, height: Int) throws(PhotoRefusal) -> PhotoSize {
        guard width > 0, height > 0 else { throw .damaged }
        let size = PhotoSize(width: width, height: height)
        guard size.pixelsCount <= PhotoLimits.pixelsMax else { throw .tooManyPixels }
        return size
    }
}

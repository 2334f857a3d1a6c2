/// The answer of a worker. Its bytes are from outside: whatever a picture made of the worker, the
/// caller reads only what it asked for. Numbers are big-endian.
///
/// | bytes | |
/// |---|---|
/// | 4 | `WGP1` |
/// | 1 | 0, or the ``PhotoRefusal``, and then nothing follows |
///
/// then for the photo and the thumbnail, or for the one picture in pixels:
///
/// | bytes | |
/// |---|---|
/// | 2, 2 | width and height |
/// | 4 | length |
/// | … | a JPEG, or red, green and blue of each pixel |
public enum PhotoAnswer: Equatable, Sendable {
    case refused(PhotoRefusal)
    case photo(EncodedPhoto)
    case pixels(PhotoPixels)

    /// The most bytes of an answer that are neither a JPEG nor pixels.
    static let overheadBytesMax = 5 + 2 * 8

    /// The reason an answer is not one to the task, in the order of the checks.
    public enum Fault: Error, Equatable, Sendable {
        /// The first bytes are wrong.
        case noAnswer
        /// The number is no ``PhotoRefusal``.
        case unknownRefusal(UInt8)
        /// There are fewer bytes than the answer says, or more.
        case wrongLength
        /// A picture has no pixels, more than the task allows, or another number than it says.
        case wrongSize(PhotoSize)
        /// A JPEG is longer than the task allows, is none, or carries more than a picture.
        case notBare
    }

    /// Reads the answer to a task.
    /// - Throws: the first ``Fault`` found.
    public init(_ bytes: [UInt8], to task: PhotoTask) throws(Fault) {
        guard bytes.count >= 5, bytes.starts(with: PhotoRequest.mark) else { throw .noAnswer }
        guard bytes[4] == 0 else {
            guard let refusal = PhotoRefusal(rawValue: bytes[4]) else {
                throw .unknownRefusal(bytes[4])
            }
            guard bytes.count == 5 else { throw .wrongLength }
            self = .refused(refusal)
            return
        }
        var index = 5
        if case .pixels = task {
            let (size, rgb) = try Self.part(at: &index, of: bytes)
            guard Self.isAllowed(size, task.sizeMax), rgb.count == size.pixelsCount * 3 else {
                throw .wrongSize(size)
            }
            self = .pixels(PhotoPixels(size: size, rgb: rgb))
        } else {
            let photo = try Self.part(at: &index, of: bytes)
            let thumbnail = try Self.part(at: &index, of: bytes)
            guard Self.isAllowed(photo.size, task.sizeMax) else { throw .wrongSize(photo.size) }
            guard thumbnail.size == PhotoLimits.thumbnailSize else {
                throw .wrongSize(thumbnail.size)
            }
            guard
                JPEGStructure.isBare(photo.bytes, photo.size, bytesMax: task.bytesMax),
                PhotoThumbnail(thumbnail.bytes) != nil
            else { throw .notBare }
            self = .photo(
                EncodedPhoto(size: photo.size, jpeg: photo.bytes, thumbnail: thumbnail.bytes))
        }
        guard index == bytes.count else { throw .wrongLength }
    }

    /// The bytes of the answer.
    public var encoded: [UInt8] {
        var bytes = PhotoRequest.mark
        switch self {
        case .refused(let refusal): bytes.append(refusal.rawValue)
        case .photo(let photo):
            bytes.append(0)
            Self.append(photo.size, photo.jpeg, to: &bytes)
            Self.append(PhotoLimits.thumbnailSize, photo.thumbnail, to: &bytes)
        case .pixels(let pixels):
            bytes.append(0)
            Self.append(pixels.size, pixels.rgb, to: &bytes)
        }
        return bytes
    }

    private static func append(_ size: PhotoSize, _ content: [UInt8], to bytes: inout [UInt8]) {
        bytes.append(bigEndian: size.width, count: 2)
        bytes.append(bigEndian: size.height, count: 2)
        bytes.append(bigEndian: content.count, count: 4)
        bytes += content
    }

    /// Reads a picture at an index, and moves the index behind it.
    private static func part(
        at index: inout Int, of bytes: [UInt8]
    ) throws(Fault) -> (size: PhotoSize, bytes: [UInt8]) {
        guard let width = bytes.bigEndian(at: index, count: 2),
            let height = bytes.bigEndian(at: index + 2, count: 2),
            let length = bytes.bigEndian(at: index + 4, count: 4),
            length <= bytes.count - index - 8
        else { throw .wrongLength }
        let start = index + 8
        index = start + length
        return (PhotoSize(width: width, height: height), Array(bytes[start..<index]))
    }

    private static func isAllowed(_ size: PhotoSize, _ sizeMax: PhotoSize) -> Bool {
        size.width > 0 && size.height > 0 && size.isWithin(sizeMax)
    }
}

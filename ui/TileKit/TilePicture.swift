/// A tile that may be decoded: its format and its size, read from its first bytes.
public struct TilePicture: Hashable, Sendable {
    /// The format of a picture that is drawn.
    public enum Format: String, Hashable, Sendable {
        /// Portable Network Graphics.
        case png
        /// JPEG.
        case jpeg
    }

    /// The reason a tile is not decoded, in the order of the checks.
    public enum Fault: Error, Hashable, Sendable {
        /// The tile has more bytes than allowed.
        case tooLong
        /// The tile is compressed data without a picture, as vector tiles are.
        case vector
        /// The tile is of another format, or its header is broken.
        case unknownFormat
        /// The tile has no pixels, more than allowed, or very many scans.
        case tooLarge(pixels: Int)
    }

    /// The format.
    public let format: Format
    /// The larger one of width and height, in pixels.
    public let pixels: Int

    /// Checks a tile.
    /// - Throws: the first ``Fault`` found.
    public init(_ bytes: [UInt8]) throws(Fault) {
        guard bytes.count <= TileLimits.tileBytesMax else { throw .tooLong }
        guard !Self.isCompressed(bytes) else { throw .vector }
        let size: (width: Int, height: Int)?
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            format = .png
            size = Self.sizeOfPNG(bytes)
        } else if bytes.starts(with: [0xFF, 0xD8]) {
            format = .jpeg
            size = Self.sizeOfJPEG(bytes)
        } else {
            throw .unknownFormat
        }
        guard let size else { throw .unknownFormat }
        pixels = max(size.width, size.height)
        guard min(size.width, size.height) > 0, pixels <= TileLimits.tilePixelsMax,
            format == .png || Self.scansCount(bytes) <= TileLimits.scansCountMax
        else { throw .tooLarge(pixels: pixels) }
    }

    /// Whether the bytes begin as gzip or zlib do.
    private static func isCompressed(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [0x1F, 0x8B]) || bytes.starts(with: [0x78, 0x9C])
            || bytes.starts(with: [0x78, 0xDA]) || bytes.starts(with: [0x78, 0x01])
    }

    /// The first chunk of a PNG has width and height in four bytes each.
    private static func sizeOfPNG(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
        guard bytes.count >= 24, bytes[12..<16].elementsEqual("IHDR".utf8) else { return nil }
        return (number(bytes[16..<20]), number(bytes[20..<24]))
    }

    /// A JPEG is a row of segments; the one that begins the frame has height and width in two
    /// bytes each.
    private static func sizeOfJPEG(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
        var index = 2
        while index + 9 <= bytes.count, bytes[index] == 0xFF {
            let marker = bytes[index + 1]
            if marker == 0xFF {
                index += 1
                continue
            }
            // These have no length, and none of them is before a frame: decoders skip them.
            guard marker > 0x01, !(0xD0...0xD9).contains(marker) else { return nil }
            // C4, C8 and CC share the range of the frames, and are tables.
            if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
                return (
                    number(bytes[(index + 7)..<(index + 9)]),
                    number(bytes[(index + 5)..<(index + 7)])
                )
            }
            index += 2 + max(number(bytes[(index + 2)..<(index + 4)]), 2)
        }
        return nil
    }

    private static func scansCount(_ bytes: [UInt8]) -> Int {
        zip(bytes, bytes.dropFirst()).count { $0 == 0xFF && $1 == 0xDA }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }
}

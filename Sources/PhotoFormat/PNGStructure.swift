/// The chunks of a PNG: the size that the first one says, and the end of the last one.
///
///     signature · IHDR · … · IDAT … · … · IEND
///
/// Checksums and compressed data are the decoder's.
struct PNGStructure {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    private static let lengthMax = 0x7FFF_FFFF
    /// The length, type and checksum of a chunk.
    private static let frameBytesCount = 12

    let size: PhotoSize
    let end: Int

    /// Reads the chunks, of bytes that begin with the signature.
    init(_ bytes: [UInt8]) throws(PhotoRefusal) {
        var index = Self.signature.count
        guard Self.type(at: index, in: bytes) == "IHDR" else { throw .damaged }
        size = try Self.size(inHeaderAt: index, of: bytes)
        var hasData = false
        while let length = bytes.bigEndian(at: index, count: 4) {
            let type = Self.type(at: index, in: bytes)
            guard length <= Self.lengthMax, length <= bytes.count - index - Self.frameBytesCount
            else { throw .damaged }
            index += length + Self.frameBytesCount
            switch type {
            case "IDAT": hasData = true
            case "IEND":
                guard hasData, length == 0 else { throw .damaged }
                end = index
                return
            default: break
            }
        }
        throw .damaged
    }

    /// The type of the chunk at an index.
    private static func type(at index: Int, in bytes: [UInt8]) -> String {
        guard index + 8 <= bytes.count else { return "" }
        return String(decoding: bytes[(index + 4)..<(index + 8)], as: UTF8.self)
    }

    /// Reads the first chunk: width and height in four bytes each, bits, colours, three methods.
    private static func size(
        inHeaderAt index: Int, of bytes: [UInt8]
    ) throws(PhotoRefusal) -> PhotoSize {
        guard bytes.bigEndian(at: index, count: 4) == 13, index + 25 <= bytes.count,
            let width = bytes.bigEndian(at: index + 8, count: 4), width <= lengthMax,
            let height = bytes.bigEndian(at: index + 12, count: 4), height <= lengthMax
        else { throw .damaged }
        let size = try PhotoHeader.check(width: width, height: height)
        let (bits, colours) = (bytes[index + 16], bytes[index + 17])
        let methods = bytes[(index + 18)...(index + 20)]
        guard isKnown(colours: colours, bits: bits), methods.prefix(2).allSatisfy({ $0 == 0 }),
            methods.suffix(1).allSatisfy({ $0 <= 1 })
        else { throw .damaged }
        return size
    }

    /// Whether the format allows so many bits of a colour type: grey, colours, palette, grey with
    /// alpha, colours with alpha.
    private static func isKnown(colours: UInt8, bits: UInt8) -> Bool {
        switch colours {
        case 0: [1, 2, 4, 8, 16].contains(bits)
        case 3: [1, 2, 4, 8].contains(bits)
        case 2, 4, 6: [8, 16].contains(bits)
        default: false
        }
    }
}

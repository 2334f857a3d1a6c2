/// A PNG that a test makes, chunk by chunk.
struct MadePNG {
    /// The meaning of the samples of a pixel. The raw value is the number in the header.
    enum Colours: UInt8 {
        case grey = 0
        case rgb = 2
        case palette = 3
        case greyAlpha = 4
        case rgba = 6
    }

    var width: Int
    var height: Int
    var bits: UInt8 = 8
    var colours = Colours.rgb
    var isInterlaced = false
    /// Chunks between the header and the data.
    var extras: [(type: String, content: [UInt8])] = []
    /// The content of the data chunk; nil for that of the pixels.
    var data: [UInt8]?
    /// Returns the bytes of the samples of a pixel.
    var pixel: (_ x: Int, _ y: Int) -> [UInt8] = { _, _ in [255, 0, 0] }

    /// The file.
    var bytes: [UInt8] {
        var header: [UInt8] = []
        header.append(number: width, bytes: 4)
        header.append(number: height, bytes: 4)
        header += [bits, colours.rawValue, 0, 0, isInterlaced ? 1 : 0]
        var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        bytes += Self.chunk("IHDR", header)
        for extra in extras { bytes += Self.chunk(extra.type, extra.content) }
        bytes += Self.chunk("IDAT", data ?? Self.stored(rows))
        return bytes + Self.chunk("IEND", [])
    }

    /// The rows, each with the number of its filter before it.
    private var rows: [UInt8] {
        guard isInterlaced else { return rows((0, 0, 1, 1)) }
        let passes = [
            (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
            (0, 1, 1, 2),
        ]
        return passes.flatMap { rows($0) }
    }

    private func rows(_ pass: (x: Int, y: Int, stepX: Int, stepY: Int)) -> [UInt8] {
        guard pass.x < width else { return [] }
        return stride(from: pass.y, to: height, by: pass.stepY).flatMap { y in
            [0] + stride(from: pass.x, to: width, by: pass.stepX).flatMap { pixel($0, y) }
        }
    }

    /// Returns a chunk with its length and checksum.
    static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(number: content.count, bytes: 4)
        let checked = Array(type.utf8) + content
        bytes += checked
        bytes.append(number: Int(checksum(checked)), bytes: 4)
        return bytes
    }

    private static let table: [UInt32] = (0..<256).map { start in
        (0..<8).reduce(UInt32(start)) { value, _ in
            value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1
        }
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 }
    }

    /// Returns a zlib stream that holds bytes as they are.
    static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(0xFFFF)
            rest = rest.dropFirst(block.count)
            let count = UInt16(block.count)
            stream.append(rest.isEmpty ? 1 : 0)
            stream += [UInt8(count & 0xFF), UInt8(count >> 8)]
            stream += [UInt8(~count & 0xFF), UInt8(~count >> 8)]
            stream += block
        } while !rest.isEmpty
        let (low, high) = bytes.reduce((1, 0)) { sums, byte in
            let low = (sums.0 + Int(byte)) % 65521
            return (low, (sums.1 + low) % 65521)
        }
        stream.append(number: high << 16 | low, bytes: 4)
        return stream
    }

    /// Returns a zlib stream that inflates to so many zeros, 158 times its length, and has no end.
    static func endlessZeros(count: Int) -> [UInt8] {
        var bits = BitWriter(lowestFirst: true)
        // A last block of fixed codes: a zero, and then copies of the 258 bytes before.
        bits.append(0b1, count: 1)
        bits.append(0b10, count: 2)
        bits.append(0b0011_0000, count: 8)
        for _ in 0..<(count / 258) {
            bits.append(0b1100_0101, count: 8)
            bits.append(0, count: 5)
        }
        bits.finish()
        return [0x78, 0x01] + bits.bytes
    }
}

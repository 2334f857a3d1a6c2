/// A JPEG that a test makes: every block of 8 × 8 pixels has one colour, and so is a few bits long.
struct MadeJPEG {
    /// The number of components: 1 grey, 3 luminance and two colours, 4 inks.
    var components = 3
    /// Width and height in blocks of 8 × 8 pixels.
    var columns: Int
    var rows: Int
    var isProgressive = false
    /// The segments behind the start.
    var segments: [(marker: UInt8, content: [UInt8])] = []
    /// Returns the components of a block.
    var block: (_ column: Int, _ row: Int) -> [UInt8] = { _, _ in [76, 85, 255] }

    /// The file.
    var bytes: [UInt8] {
        var bytes: [UInt8] = [0xFF, 0xD8]
        for segment in segments { bytes += Self.segment(segment.marker, segment.content) }
        // One table of quantisation: a step of 8 makes the first coefficient the sample itself.
        bytes += Self.segment(0xDB, [0] + [UInt8](repeating: 8, count: 64))
        bytes += Self.segment(isProgressive ? 0xC2 : 0xC0, frame)
        // The codes of first coefficients: nine of four bits, for differences of 0 to 8 bits.
        bytes += Self.segment(
            0xC4, [0x00, 0, 0, 0, 9] + [UInt8](repeating: 0, count: 12) + (0...8))
        // One code of one bit: the rest of the block is 0.
        bytes += Self.segment(0xC4, [0x10, 1] + [UInt8](repeating: 0, count: 15) + [0])
        let chosen = (1...UInt8(components)).flatMap { [$0, 0] as [UInt8] }
        bytes += Self.segment(
            0xDA, [UInt8(components)] + chosen + (isProgressive ? [0, 0, 0] : [0, 63, 0]))
        return bytes + coded + [0xFF, 0xD9]
    }

    private var frame: [UInt8] {
        var frame: [UInt8] = [8]
        frame.append(number: rows * 8, bytes: 2)
        frame.append(number: columns * 8, bytes: 2)
        frame.append(UInt8(components))
        return frame + (1...UInt8(components)).flatMap { [$0, 0x11, 0] as [UInt8] }
    }

    /// The coded blocks.
    private var coded: [UInt8] {
        var bits = BitWriter(lowestFirst: false)
        var before = [Int](repeating: 0, count: components)
        for row in 0..<rows {
            for column in 0..<columns {
                for (index, sample) in block(column, row).enumerated() {
                    let value = Int(sample) - 128
                    Self.append(value - before[index], to: &bits)
                    before[index] = value
                    if !isProgressive { bits.append(0, count: 1) }
                }
            }
        }
        bits.finish()
        return bits.bytes.flatMap { $0 == 0xFF ? [0xFF, 0] : [$0] }
    }

    /// Appends a difference: the number of its bits, and the bits, one less if it is negative.
    private static func append(_ difference: Int, to bits: inout BitWriter) {
        let count = Int.bitWidth - abs(difference).leadingZeroBitCount
        bits.append(count, count: 4)
        bits.append(difference < 0 ? difference - 1 : difference, count: count)
    }

    static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = [0xFF, marker]
        bytes.append(number: content.count + 2, bytes: 2)
        return bytes + content
    }

    /// Returns a segment of EXIF with an orientation, 1 to 8, and a position on Earth.
    static func exif(orientation: UInt8) -> (marker: UInt8, content: [UInt8]) {
        // Big-endian TIFF: at 8 two entries, at 38 the block of the position with one entry.
        var tiff: [UInt8] = Array("MM".utf8) + [0, 42, 0, 0, 0, 8]
        tiff += [0, 2]
        tiff += [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]
        tiff += [0x88, 0x25, 0, 4, 0, 0, 0, 1, 0, 0, 0, 38]
        tiff += [0, 0, 0, 0]
        tiff += [0, 1]
        tiff += [0, 2, 0, 5, 0, 0, 0, 3, 0, 0, 0, 56]
        tiff += [0, 0, 0, 0]
        for part in [37, 1, 33, 1, 59_123, 1000] { tiff.append(number: part, bytes: 4) }
        return (0xE1, Array("Exif\0\0".utf8) + tiff + Array("SecretMeadow".utf8))
    }
}

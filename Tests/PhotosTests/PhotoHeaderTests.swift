import PhotoFormat
import Testing

struct PhotoHeaderTests {
    private func refusal(of bytes: [UInt8]) -> PhotoRefusal? {
        do throws(PhotoRefusal) {
            _ = try PhotoHeader(bytes)
            return nil
        } catch {
            return error
        }
    }

    private func jpeg(width: Int, height: Int) -> [UInt8] {
        var bytes = MadeJPEG(columns: 1, rows: 1).bytes
        let frame = bytes.indices.first { bytes[$0...].starts(with: [0xFF, 0xC0]) } ?? 0
        bytes[frame + 5] = UInt8(height >> 8)
        bytes[frame + 6] = UInt8(height & 0xFF)
        bytes[frame + 7] = UInt8(width >> 8)
        bytes[frame + 8] = UInt8(width & 0xFF)
        return bytes
    }

    private func png(width: Int, height: Int) -> [UInt8] {
        MadePNG(width: width, height: height, data: MadePNG.endlessZeros(count: 258)).bytes
    }

    @Test func `format, size and length are read`() throws {
        let png = MadePNG(width: 7, height: 5).bytes
        let header = try PhotoHeader(png + [1, 2, 3])
        #expect(header.format == .png && header.size == PhotoSize(width: 7, height: 5))
        #expect(header.bytesCount == png.count)
        let jpeg = MadeJPEG(columns: 3, rows: 2).bytes
        let second = try PhotoHeader(jpeg + jpeg)
        #expect(second.format == .jpeg && second.size == PhotoSize(width: 24, height: 16))
        #expect(second.bytesCount == jpeg.count)
    }

    @Test func `twenty million pixels are read, and one row or column more is refused`() {
        #expect(refusal(of: jpeg(width: 5000, height: 4000)) == nil)
        #expect(refusal(of: jpeg(width: 5000, height: 4001)) == .tooManyPixels)
        #expect(refusal(of: png(width: 20_000_000, height: 1)) == nil)
        #expect(refusal(of: png(width: 20_000_001, height: 1)) == .tooManyPixels)
        #expect(refusal(of: png(width: 50_000, height: 50_000)) == .tooManyPixels)
        #expect(refusal(of: png(width: 0x7FFF_FFFF, height: 0x7FFF_FFFF)) == .tooManyPixels)
    }

    @Test func `sides of zero or beyond the format are damage`() {
        #expect(refusal(of: jpeg(width: 0, height: 8)) == .damaged)
        #expect(refusal(of: jpeg(width: 8, height: 0)) == .damaged)
        #expect(refusal(of: png(width: 0, height: 8)) == .damaged)
        #expect(refusal(of: png(width: 0xFFFF_FFFF, height: 1)) == .damaged)
    }

    @Test func `the content decides the format, not a name`() {
        #expect(refusal(of: []) == .unknownFormat)
        #expect(refusal(of: Array("GIF89a".utf8)) == .unknownFormat)
        #expect(refusal(of: Array("RIFF    WEBPVP8 ".utf8)) == .unknownFormat)
        #expect(refusal(of: Array("<svg/>".utf8)) == .unknownFormat)
        #expect(refusal(of: [0xFF, 0xD8]) == .unknownFormat)
    }

    @Test func `a picture of twenty mebibytes is read, and one byte more is refused`() {
        let png = MadePNG(width: 1, height: 1).bytes
        let most = png + [UInt8](repeating: 0, count: PhotoLimits.inputBytesMax - png.count)
        #expect(refusal(of: most) == nil)
        #expect(refusal(of: most + [0]) == .tooLong)
    }

    @Test func `every shortened picture is damaged`() {
        for bytes in [MadePNG(width: 3, height: 3).bytes, MadeJPEG(columns: 2, rows: 2).bytes] {
            for count in 8..<bytes.count {
                #expect(refusal(of: Array(bytes.prefix(count))) == .damaged)
            }
        }
    }

    @Test func `unknown methods, bits and colours of a PNG are damage`() {
        let png = MadePNG(width: 1, height: 1).bytes
        for (index, value) in [(24, 3), (25, 1), (25, 7), (26, 1), (27, 1), (28, 2)] {
            var broken = png
            broken[index] = UInt8(value)
            #expect(refusal(of: broken) == .damaged, "byte \(index)")
        }
    }

    @Test func `a PNG without data and one with a chunk beyond its end are damaged`() {
        let png = MadePNG(width: 1, height: 1).bytes
        let end = MadePNG.chunk("IEND", [])
        #expect(refusal(of: Array(png.prefix(33)) + end) == .damaged)
        for length: [UInt8] in [[0xFF, 0xFF, 0xFF, 0xFF], [0x7F, 0xFF, 0xFF, 0xFF]] {
            #expect(refusal(of: png.replacing(33..<37, with: length)) == .damaged)
        }
    }

    @Test func `a JPEG with two frames, a scan before its frame or none is damaged`() {
        let jpeg = MadeJPEG(columns: 1, rows: 1).bytes
        let index = jpeg.indices.first { jpeg[$0...].starts(with: [0xFF, 0xC0]) } ?? 0
        let frame = Array(jpeg[index..<(index + 19)])
        #expect(refusal(of: jpeg.replacing(index..<index, with: frame)) == .damaged)
        #expect(refusal(of: jpeg.replacing(index..<(index + 19), with: [])) == .damaged)
        #expect(refusal(of: jpeg.prefix(index + 19) + [0xFF, 0xD9]) == .damaged)
        #expect(refusal(of: [0xFF, 0xD8, 0xFF, 0xE0, 0, 1]) == .damaged)
        #expect(refusal(of: [0xFF, 0xD8] + [UInt8](repeating: 0xFF, count: 100)) == .damaged)
    }
}

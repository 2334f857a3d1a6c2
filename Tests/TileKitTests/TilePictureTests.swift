import Testing

@testable import TileKit

struct TilePictureTests {
    /// The header of a PNG of this size.
    private func png(_ width: UInt32, _ height: UInt32) -> [UInt8] {
        let start: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
        return start + Array("IHDR".utf8) + bytes(width) + bytes(height)
    }

    /// A JPEG of this size as far as its header, with a table before the frame.
    private func jpeg(_ width: UInt8, _ height: UInt8, scansCount: Int = 1) -> [UInt8] {
        let table: [UInt8] = [0xFF, 0xC4, 0, 4, 0xFF, 0xC0]
        let frame: [UInt8] = [0xFF, 0xFF, 0xC2, 0, 11, 8, height, 0, width, 0, 1, 0, 0, 0]
        let scans = (0..<scansCount).flatMap { _ in [0xFF, 0xDA, 0, 2] as [UInt8] }
        return [0xFF, 0xD8] + table + frame + scans
    }

    private func bytes(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }

    private func fault(_ bytes: [UInt8]) -> TilePicture.Fault? {
        do throws(TilePicture.Fault) {
            _ = try TilePicture(bytes)
            return nil
        } catch {
            return error
        }
    }

    @Test func `format and size are read from the first bytes`() throws {
        let first = try TilePicture(png(256, 200))
        #expect(first.format == .png && first.pixels == 256)
        let second = try TilePicture(jpeg(2, 3))
        #expect(second.format == .jpeg && second.pixels == 768)
    }

    @Test func `a tile of 1024 pixels is decoded, and one a pixel larger is not`() {
        #expect(fault(png(1024, 1024)) == nil)
        #expect(fault(png(1, 1025)) == .tooLarge(pixels: 1025))
        #expect(fault(png(.max, 1)) == .tooLarge(pixels: Int(UInt32.max)))
        #expect(fault(png(0, 5)) == .tooLarge(pixels: 5))
        #expect(fault(jpeg(4, 4)) == nil)
        #expect(fault(jpeg(5, 4)) == .tooLarge(pixels: 1280))
    }

    @Test(arguments: [0x00, 0x01, 0xD0, 0xD7, 0xD9] as [UInt8])
    func `a JPEG with a marker before its frame that has no length is refused`(marker: UInt8) {
        let picture = jpeg(1, 1)
        #expect(
            fault(Array(picture.prefix(2)) + [0xFF, marker, 0, 2] + picture.dropFirst(2))
                == .unknownFormat)
    }

    @Test func `a JPEG of 64 scans is decoded, and one with another scan is not`() {
        #expect(fault(jpeg(1, 1, scansCount: 64)) == nil)
        #expect(fault(jpeg(1, 1, scansCount: 65)) == .tooLarge(pixels: 256))
    }

    @Test func `a tile of one MiB is decoded, and one a byte longer is not`() {
        let tile = png(4, 4)
        let rest = [UInt8](repeating: 0, count: TileLimits.tileBytesMax - tile.count)
        #expect(fault(tile + rest) == nil)
        #expect(fault(tile + rest + [0]) == .tooLong)
    }

    @Test func `other bytes are no pictures, wherever they end`() {
        #expect(fault([]) == .unknownFormat)
        #expect(fault(Array("GIF89a".utf8)) == .unknownFormat)
        #expect(fault([0x1F, 0x8B, 8]) == .vector)
        for count in 0..<24 { #expect(fault(Array(png(4, 4).prefix(count))) == .unknownFormat) }
        for count in 0..<17 { #expect(fault(Array(jpeg(1, 1).prefix(count))) == .unknownFormat) }
    }
}

import GtkKit
import Testing

struct PictureTests {
    private func bytes(_ hexadecimal: String) -> [UInt8] {
        stride(from: 0, to: hexadecimal.count, by: 2).compactMap { offset in
            UInt8(hexadecimal.dropFirst(offset).prefix(2), radix: 16)
        }
    }

    /// A PNG of 4 × 4 pixels.
    private var png: [UInt8] {
        bytes(
            """
            89504e470d0a1a0a0000000d4948445200000004000000040802000000269309290000001049\
            44415478da6338916204470cc47100427215e1c91abce40000000049454e44ae426082
            """)
    }

    @Test func `a picture is decoded up to the limit of its size`() throws {
        let picture = try #require(Picture(decoding: png, format: .png, pixelsMax: 4))
        #expect(picture.size == Size(width: 4, height: 4) && picture.bytesCount == 64)
        #expect(Picture(decoding: png, format: .png, pixelsMax: 3) == nil)
    }

    @Test func `damaged bytes and those of another format are no picture`() {
        for count in stride(from: 0, to: png.count - 12, by: 5) {
            #expect(Picture(decoding: Array(png.prefix(count)), format: .png, pixelsMax: 4) == nil)
        }
        #expect(Picture(decoding: png, format: .jpeg, pixelsMax: 4) == nil)
        let text = Array("Once upon a time".utf8)
        #expect(Picture(decoding: text, format: .png, pixelsMax: 4) == nil)
    }

    @Test func `a picture is decoded away from the main thread`() async {
        let bytes = png
        let size = await Task { @concurrent in
            Picture(decoding: bytes, format: .png, pixelsMax: 4)?.size
        }.value
        #expect(size == Size(width: 4, height: 4))
    }
}

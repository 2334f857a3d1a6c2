import PhotoFormat
import TestSupport
import Testing

struct PhotoThumbnailTests {
    private func jpeg(
        _ size: PhotoSize = PhotoLimits.thumbnailSize, bytesCount: Int
    ) -> [UInt8] {
        let bare = DrawnPhotos.jpeg(of: size, from: [1], bytesCount: 0)
        return DrawnPhotos.jpeg(of: size, from: [1], bytesCount: bytesCount - bare.count)
    }

    @Test func `a thumbnail of the longest length is accepted and one byte more is not`() {
        let longest = jpeg(bytesCount: PhotoLimits.thumbnailBytesMax)
        #expect(longest.count == PhotoLimits.thumbnailBytesMax)
        #expect(PhotoThumbnail(longest)?.jpeg == longest)
        #expect(PhotoThumbnail(jpeg(bytesCount: PhotoLimits.thumbnailBytesMax + 1)) == nil)
    }

    @Test(arguments: [
        PhotoSize(width: 100, height: 99), PhotoSize(width: 101, height: 100),
        PhotoSize(width: 65_535, height: 65_535), PhotoSize(width: 0, height: 100),
    ])
    func `a thumbnail of another size is refused`(size: PhotoSize) {
        #expect(PhotoThumbnail(jpeg(size, bytesCount: 500)) == nil)
    }

    @Test func `what is no JPEG, or carries more than the picture, is refused`() {
        let good = jpeg(bytesCount: 500)
        let note: [UInt8] = [0xFF, 0xFE, 0, 20] + [UInt8](repeating: 65, count: 18)
        #expect(PhotoThumbnail(good) != nil)
        #expect(PhotoThumbnail(good.prefix(2) + note + good.dropFirst(2)) == nil)
        #expect(PhotoThumbnail(good + [0]) == nil)
        #expect(PhotoThumbnail(Array(good.dropLast())) == nil)
        #expect(PhotoThumbnail([]) == nil)
        #expect(PhotoThumbnail(Array("not a picture".utf8)) == nil)
    }
}

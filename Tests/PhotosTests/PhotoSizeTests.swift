import PhotoFormat
import Testing

struct PhotoSizeTests {
    @Test func `a larger picture gets the largest size of its shape within the box`() {
        for (size, wanted) in [
            (PhotoSize(width: 4000, height: 3000), PhotoSize(width: 392, height: 294)),
            (PhotoSize(width: 3000, height: 4000), PhotoSize(width: 392, height: 523)),
            (PhotoSize(width: 1000, height: 4000), PhotoSize(width: 148, height: 591)),
        ] {
            #expect(size.fitted(into: PhotoLimits.profileSizeMax) == wanted)
        }
    }

    @Test func `a picture that fits keeps its size, and one pixel more does not`() {
        let box = PhotoLimits.profileSizeMax
        #expect(box.fitted(into: box) == box)
        #expect(PhotoSize(width: 1, height: 1).fitted(into: box) == PhotoSize(width: 1, height: 1))
        let wider = PhotoSize(width: 393, height: 591).fitted(into: box)
        #expect(wider.isWithin(box) && wider.width == 392)
    }

    @Test func `no side becomes less than one pixel`() {
        let line = PhotoSize(width: 20_000_000, height: 1)
        #expect(line.fitted(into: PhotoLimits.chatSizeMax) == PhotoSize(width: 1600, height: 1))
    }
}

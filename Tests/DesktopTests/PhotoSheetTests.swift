import Contract
import GtkKit
import PanelKit
import Testing

@MainActor
struct PhotoSheetTests {
    private func size(_ sides: PhotoSides?, over width: Double, _ height: Double) -> [Int] {
        let size = PhotoSheet.size(of: sides, over: Size(width: width, height: height))
        return [size.width, size.height]
    }

    @Test func `a photo is as large as the page allows, and no larger than itself`() {
        #expect(size(PhotoSides(width: 1600, height: 1200), over: 920, 830) == [800, 600])
        #expect(size(PhotoSides(width: 300, height: 200), over: 920, 830) == [300, 200])
        #expect(size(PhotoSides(width: 1600, height: 1600), over: 0, 0) == [150, 150])
        #expect(size(PhotoSides(width: 1600, height: 1), over: 320, 480) == [200, 1])
    }
}

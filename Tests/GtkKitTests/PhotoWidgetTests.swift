import CGtk
import Testing

@testable import GtkKit

@MainActor
struct PhotoWidgetTests {
    init() throws {
        try TestDisplay.open()
    }

    private func picture(width: Int, height: Int, _ colour: [UInt8]) throws -> Picture {
        let rgb = [[UInt8]](repeating: colour, count: width * height).flatMap { $0 as [UInt8] }
        return try #require(Picture(rgb: rgb, width: width, height: height))
    }

    @Test func `a picture needs three bytes for each pixel`() {
        #expect(Picture(rgb: [1, 2, 3, 4, 5, 6], width: 2, height: 1)?.bytesCount == 8)
        #expect(Picture(rgb: [1, 2, 3, 4, 5], width: 2, height: 1) == nil)
        #expect(Picture(rgb: [1, 2, 3, 4, 5, 6, 7], width: 2, height: 1) == nil)
        #expect(Picture(rgb: [], width: 0, height: 0) == nil)
        #expect(Picture(rgb: [], width: .max, height: .max) == nil)
        #expect(Picture(rgb: [], width: -1, height: 1) == nil)
    }

    @Test func `a picture is shown whole, in its shape, and never enlarged`() {
        let wide = Size(width: 400, height: 200)
        for (space, origin, size) in [
            (Size(width: 200, height: 200), Point(x: 0, y: 50), Size(width: 200, height: 100)),
            (Size(width: 800, height: 100), Point(x: 300, y: 0), Size(width: 200, height: 100)),
            (Size(width: 600, height: 300), Point(x: 100, y: 50), wide),
        ] {
            let frame = PictureView.frame(of: wide, within: space)
            #expect(frame.origin == origin && frame.size == size)
        }
    }

    @Test func `a view paints its picture in the middle`() throws {
        let view = PictureView(name: "A photo")
        view.picture = try picture(width: 20, height: 20, [200, 10, 30])
        let size = Size(width: 60, height: 60)
        let found = try TestDisplay.colour(
            at: Point(x: 30, y: 30), of: view, size: size, until: { $0 == [200, 10, 30] })
        #expect(found == [200, 10, 30])
        let outside = try TestDisplay.colour(
            at: Point(x: 5, y: 30), of: view, size: size, until: { $0 != [200, 10, 30] })
        #expect(outside != [200, 10, 30])
    }

    @Test func `an avatar shows the photo, and without one the initials again`() throws {
        let avatar = Avatar(key: "key", pixels: 40)
        avatar.show(name: "Haru")
        let (middle, size) = (Point(x: 20, y: 8), Size(width: 40, height: 40))
        avatar.show(photo: try picture(width: 100, height: 100, [10, 200, 30]))
        let found = try TestDisplay.colour(
            at: middle, of: avatar, size: size, until: { $0 == [10, 200, 30] })
        #expect(found == [10, 200, 30])
        avatar.show(photo: nil)
        let without = try TestDisplay.colour(
            at: middle, of: avatar, size: size, until: { $0 != [10, 200, 30] })
        #expect(without != [10, 200, 30])
    }

    @Test func `a picture in the clipboard arrives as bytes, and a text is none`() throws {
        let clipboard = unsafe gtk_clipboard_get_default(gdk_display_get_default())
        let pixels = unsafe gdk_pixbuf_new(GDK_COLORSPACE_RGB, 0, 8, 3, 2)
        unsafe gtk_clipboard_set_image(clipboard, pixels)
        unsafe g_object_unref(UnsafeMutableRawPointer(pixels))
        var found: [[UInt8]?] = []
        Clipboard.requestPicture { found.append($0) }
        TestDisplay.turn(until: { found.count == 1 })
        let bytes = try #require(found.first ?? nil)
        #expect(bytes.starts(with: [0xFF, 0xD8]) || bytes.starts(with: [0x89, 0x50]))
        Clipboard.copy("no picture")
        Clipboard.requestPicture { found.append($0) }
        TestDisplay.turn(until: { found.count == 2 })
        #expect(found.count == 2 && found.last == .some(nil))
    }
}

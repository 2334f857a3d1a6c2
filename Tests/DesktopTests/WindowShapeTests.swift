import GtkKit
import PanelKit
import Testing

@testable import Desktop

struct WindowShapeTests {
    @Test(arguments: [
        (360.0, WindowShape.narrow), (599, .narrow), (600, .compact), (899, .compact),
        (900, .wide), (3840, .wide),
    ])
    func `the list of pages loses its titles below 900 pixels, and its side below 600`(
        width: Double, shape: WindowShape
    ) {
        #expect(WindowShape(width: width) == shape)
    }

    @Test(arguments: [(600.0, 360), (900, 360), (1000, 400), (1100, 440), (3840, 440)])
    func `a page beside the map is 360 to 440 pixels wide`(width: Double, page: Int32) {
        #expect(WindowShape.pageWidth(in: width) == page)
    }

    @Test func `a page alone takes all of a narrow window`() {
        #expect(WindowShape.pageWidth(in: 599) == 0)
    }

    @Test(
        arguments: [
            (599, .beside, .whole), (600, .beside, .besideMap), (900, .beside, .besideMap),
            (599, .wide, .whole), (600, .wide, .whole), (900, .wide, .whole), (3840, .wide, .whole),
            (599, nil, .hidden), (600, nil, .hidden), (900, nil, .hidden),
        ] as [(Double, PanelLayout?, PageExtent)])
    func `a page takes the map's place if its layout is wide or the window is narrow`(
        width: Double, layout: PanelLayout?, extent: PageExtent
    ) {
        #expect(PageExtent(of: layout, in: WindowShape(width: width)) == extent)
    }

    @Test(arguments: [
        (0, "", "Chat"), (1, "1", "Chat (1)"), (99, "99", "Chat (99)"),
        (100, "99+", "Chat (100)"),
    ])
    func `a badge shows at most 99, and a screen reader says all`(
        count: Int, text: String, name: String
    ) {
        #expect(Badge(count: count).text == text)
        #expect(Badge(count: count).name(of: "Chat") == name)
    }
}

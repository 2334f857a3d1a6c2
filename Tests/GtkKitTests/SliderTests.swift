import CGtk
import Testing

@testable import GtkKit

@MainActor
struct SliderTests {
    init() throws {
        try TestDisplay.open()
    }

    @Test func `only the user's moves are told`() {
        let slider = Slider()
        var moves: [Double] = []
        slider.onMove { moves.append($0) }
        slider.setMaximum(60, step: 1, page: 6)
        slider.value = 30
        #expect(moves.isEmpty && slider.value == 30)
        // The number at the handle is cut to the new range, which is no move of the user.
        slider.setMaximum(20, step: 1, page: 2)
        #expect(moves.isEmpty && slider.value == 20)
        unsafe gtk_range_set_value(slider.cast(gtk_range_get_type()), 12.5)
        #expect(moves == [12.5] && slider.value == 12.5)
    }

    @Test func `a number outside of the range is cut to it`() {
        let slider = Slider()
        slider.setMaximum(10, step: 1, page: 2)
        slider.value = -5
        #expect(slider.value == 0)
        slider.value = 11
        #expect(slider.value == 10)
    }

    @Test func `a button shows another icon under another name`() {
        let button = Button(icon: "media-playback-start-symbolic", name: "Play")
        button.show(icon: "media-playback-pause-symbolic", name: "Pause")
        let name = unsafe atk_object_get_name(gtk_widget_get_accessible(button.gtk))
        #expect(unsafe name.map { unsafe String(cString: $0) } == "Pause")
    }
}

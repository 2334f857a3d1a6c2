import CGtk
import Testing

@testable import GtkKit

@MainActor
struct FrameTickerTests {
    init() throws {
        try TestDisplay.open()
    }

    @Test func `a ticker is called before each frame until it is released`() throws {
        guard let window = unsafe gtk_offscreen_window_new() else { throw DisplayFault.noDisplay }
        defer { unsafe gtk_widget_destroy(window) }
        let label = Label("Tick")
        unsafe gtk_container_add(gtkCast(window, gtk_container_get_type()), label.gtk)
        unsafe gtk_widget_show(window)
        var times: [Duration] = []
        var ticker: FrameTicker? = FrameTicker(of: label) { times.append($0) }
        TestDisplay.turn(until: { times.count >= 3 })
        #expect(times.count >= 3 && times == times.sorted())
        #expect(ticker != nil)
        ticker = nil
        let count = times.count
        var others = 0
        let other = FrameTicker(of: label) { _ in others += 1 }
        TestDisplay.turn(until: { others >= 3 })
        withExtendedLifetime(other) {}
        #expect(others >= 3 && times.count == count)
    }
}

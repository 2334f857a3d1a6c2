import Testing

@testable import Desktop

@MainActor
struct WindowBarsTests {
    @Test(
        arguments: [
            ([], 600, 0), ([70, 70, 70], 600, 140), ([70, 70, 60], 600, 200),
            ([70, 150, 20], 600, 70), ([250, 20], 600, 250), ([70, 70, 70], 2160, 210),
        ] as [([Double], Double, Double)])
    func `the bars take a third of the window, in whole bars, and at least one`(
        bars: [Double], window: Double, height: Double
    ) {
        #expect(WindowBars.height(of: bars, inWindow: window) == height)
    }
}

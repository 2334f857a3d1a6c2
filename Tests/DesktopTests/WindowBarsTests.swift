import Testing

@testable import Desktop

@MainActor
struct WindowBarsTests {
    @Test(
        arguments: [
            ([], 600, 0), ([110, 110, 110], 600, 220), ([100, 110, 90], 600, 300),
            ([100, 250, 20], 600, 100), ([350, 20], 600, 350), ([70, 70, 70], 2160, 210),
        ] as [([Double], Double, Double)])
    func `the bars take half of the window, in whole bars, and at least one`(
        bars: [Double], window: Double, height: Double
    ) {
        #expect(WindowBars.height(of: bars, inWindow: window) == height)
    }
}

import Location
import Testing

struct DistanceTextTests {
    @Test(arguments: [
        (0.0, "0 m"), (0.49, "0 m"), (999.4, "999 m"), (999.5, "1.00 km"), (1000.0, "1.00 km"),
        (1004.9, "1.00 km"), (1005.0, "1.01 km"), (12_345.0, "12.35 km"),
    ])
    func `metres have no decimals and kilometres have two`(metres: Double, text: String) {
        #expect(DistanceText.text(metres: metres) == text)
    }

    @Test(arguments: [-0.001, Double.nan, .infinity, DistanceText.metresMax.nextUp])
    func `a number that is not a distance has no text`(metres: Double) {
        #expect(DistanceText.text(metres: metres) == nil)
    }

    @Test func `the longest distance still has a text`() {
        #expect(DistanceText.text(metres: DistanceText.metresMax) == "1000000.00 km")
    }
}

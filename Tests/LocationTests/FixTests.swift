import Location
import Testing

struct FixTests {
    private let point = try! Point(latitude: 0, longitude: 0)

    @Test func `an accuracy that says nothing is absent`() {
        #expect(Fix(point: point, accuracyMetres: -1).accuracyMetres == nil)
        #expect(Fix(point: point, accuracyMetres: .nan).accuracyMetres == nil)
        #expect(Fix(point: point, accuracyMetres: 0).accuracyMetres == 0)
    }
}

import Location
import Testing

struct FixTests {
    private let point: Point

    init() throws { point = try Point(latitude: 0, longitude: 0) }

    @Test func `a meaningless accuracy is absent`() {
        #expect(Fix(point: point, accuracyMetres: -1).accuracyMetres == nil)
        #expect(Fix(point: point, accuracyMetres: .nan).accuracyMetres == nil)
        #expect(Fix(point: point, accuracyMetres: 0).accuracyMetres == 0)
    }
}

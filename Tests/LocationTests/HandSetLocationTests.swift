import Location
import Testing

struct HandSetLocationTests {
    private func fix(_ latitude: Double) throws -> Fix {
        Fix(point: try Point(latitude: latitude, longitude: 127))
    }

    @Test func `a reader gets the latest fix at once and then each change`() async throws {
        let source = HandSetLocation(try fix(1))
        var reader = source.fixes().makeAsyncIterator()
        #expect(await reader.next() == .some(try fix(1)))
        source.set(try fix(2))
        #expect(await reader.next() == .some(try fix(2)))
        source.clear()
        #expect(await reader.next() == .some(nil))
        #expect(source.latest == nil)
    }

    @Test func `a slow reader gets the newest fix only`() async throws {
        let source = HandSetLocation()
        var reader = source.fixes().makeAsyncIterator()
        for latitude in 1...50 { source.set(try fix(Double(latitude))) }
        #expect(await reader.next() == .some(try fix(50)))
    }

    @Test func `setting the same fix again tells nobody`() async throws {
        let source = HandSetLocation()
        source.set(try fix(1))
        var reader = source.fixes().makeAsyncIterator()
        _ = await reader.next()
        source.set(try fix(1))
        source.set(try fix(2))
        #expect(await reader.next() == .some(try fix(2)))
    }

    @Test func `a reader that left is forgotten and the others go on`() async throws {
        let source = HandSetLocation()
        var staying = source.fixes().makeAsyncIterator()
        _ = await staying.next()
        await readOne(of: source)
        source.set(try fix(3))
        #expect(await staying.next() == .some(try fix(3)))
    }

    private func readOne(of source: HandSetLocation) async {
        for await _ in source.fixes() { break }
    }
}

struct FixTests {
    private let point = try! Point(latitude: 0, longitude: 0)

    @Test func `an accuracy that says nothing is absent`() {
        #expect(Fix(point: point, accuracyMetres: -1).accuracyMetres == nil)
        #expect(Fix(point: point, accuracyMetres: .nan).accuracyMetres == nil)
        #expect(Fix(point: point, accuracyMetres: 0).accuracyMetres == 0)
    }

    @Test func `each part of a reading is absent on its own`() {
        let reading = RangeReading(
            distanceMetres: 0.1, uncertaintyMetres: .infinity, bearingDegrees: 360)
        #expect(reading.distanceMetres == 0.1)
        #expect(reading.uncertaintyMetres == nil)
        #expect(reading.bearingDegrees == nil)
        #expect(RangeReading(bearingDegrees: 0).bearingDegrees == 0)
    }
}

import Ranging
import Testing

@Suite struct RangeMeasurementTests {
    private static let device = DeviceID(raw: .zero)

    private func measurement(
        _ distance: Double?, uncertainty: Double? = nil, direction: [Double]? = nil,
        age: Double = 0
    ) throws -> RangeMeasurement {
        try RangeMeasurement(
            RangeReport(
                device: Self.device, distanceMetres: distance, direction: direction,
                uncertaintyMetres: uncertainty, ageSeconds: age), now: .seconds(100))
    }

    @Test(arguments: [0, 0.12, 1000]) func `a distance up to 1 km is measured`(
        _ metres: Double
    ) throws {
        #expect(try measurement(metres).distanceMetres == metres)
    }

    @Test(arguments: [-0.001, -.infinity, .infinity, 1000.1, .greatestFiniteMagnitude])
    func `a negative, infinite or huge number is no measurement`(_ number: Double) throws {
        #expect(throws: RangeFault.distanceOutOfRange(number)) { try measurement(number) }
        #expect(throws: RangeFault.uncertaintyOutOfRange(number)) {
            try measurement(1, uncertainty: number)
        }
        #expect(throws: RangeFault.ageOutOfRange(number)) { try measurement(1, age: number) }
    }

    @Test func `what is not a number is no measurement`() {
        #expect(throws: RangeFault.self) { try measurement(.nan) }
        #expect(throws: RangeFault.self) { try measurement(1, uncertainty: .nan) }
        #expect(throws: RangeFault.self) { try measurement(1, age: .nan) }
    }

    @Test func `a measurement of 10 s ago is received, and an older one is not`() throws {
        #expect(try measurement(1, age: 10).at == .seconds(90))
        #expect(throws: RangeFault.ageOutOfRange(10.1)) { try measurement(1, age: 10.1) }
    }

    @Test(arguments: [
        [0, 0, 1], [0.6, 0, 0.8], [0, 0, 0.99], [0, 0, 1.01],
    ]) func `a vector of length 1 is a direction`(_ vector: [Double]) throws {
        #expect(try measurement(nil, direction: vector).direction != nil)
    }

    @Test(arguments: [
        [], [1], [0, 1], [0, 0, 1, 0], [0, 0, 0], [0, 0, 0.98], [0, 0, 1.02], [0, 0, 2],
        [.nan, 0, 1], [0, .infinity, 0], [1e300, 1e300, 1e300],
    ]) func `any other vector is an unknown direction, and the distance counts`(
        _ vector: [Double]
    ) throws {
        let one = try measurement(0.12, direction: vector)
        #expect(one.direction == nil && one.distanceMetres == 0.12)
        #expect(throws: RangeFault.nothingMeasured) { try measurement(nil, direction: vector) }
    }

    @Test(arguments: [
        ([0, 0, 1], 0.0, 0.0), ([1, 0, 0], 90, 90), ([-1, 0, 0], 90, -90), ([0, 1, 0], 90, 0),
        ([0, 0, -1], 180, 180), ([0.6, 0, 0.8], 36.87, 36.87),
    ]) func `a direction has an angle from ahead and a turn to the right`(
        vector: [Double], offAxis: Double, turn: Double
    ) throws {
        let direction = try #require(RangeDirection(vector))
        #expect(abs(direction.offAxisDegrees - offAxis) < 0.01)
        #expect(abs(direction.turnDegrees - turn) < 0.01)
    }

    @Test func `an uncertainty without a distance is left out`() throws {
        let one = try measurement(nil, uncertainty: 0.02, direction: [0, 0, 1])
        #expect(one.uncertaintyMetres == nil)
    }
}

import Contract
import InterestsAPI
import Testing

struct PulseTests {
    @Test(
        arguments: [
            (0, 1), (4.5, 0.5), (8.1, 0.1), (9, 0), (1000, 0), (-1, 1), (.infinity, 0),
        ] as [(Double, Double)])
    func `the strength falls from 1 at 0 m to 0 at 9 m`(metres: Double, strength: Double) throws {
        let pulse = Pulse(commonCount: 3, distanceMetres: metres)
        #expect(abs(try #require(pulse.strength).value - strength) < 1e-9)
    }

    @Test func `an unknown distance leaves the strength unknown`() {
        #expect(Pulse(commonCount: 3, distanceMetres: nil).strength == nil)
        #expect(Pulse(commonCount: 3, distanceMetres: .nan).strength == nil)
    }

    @Test(arguments: [(3, 1.6), (5, 2), (10, 3)] as [(Int, Double)])
    func `every five common interests add a beat per second`(count: Int, rate: Double) {
        #expect(Pulse(commonCount: count, distanceMetres: 1).rate.value == rate)
    }
}

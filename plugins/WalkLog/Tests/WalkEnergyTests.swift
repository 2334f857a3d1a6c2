import PluginKit
import Testing

@testable import WalkLog

@Suite struct WalkEnergyTests {
    @Test(arguments: [
        (0, 2.8), (3.2, 2.8), (3.201, 3.9), (4.8, 3.9), (4.801, 4.5), (6.4, 4.5), (6.401, 6.0),
    ])
    func `each speed has its metabolic equivalent`(speed: Double, met: Double) {
        #expect(WalkEnergy.met(kilometresPerHour: speed) == met)
    }

    @Test func `2 km in half an hour are 4 km/h and 136 kilocalories at 70 kg`() {
        let time = Duration.seconds(1800)
        #expect(WalkEnergy.kilometresPerHour(metres: 2000, in: time) == 4)
        let exact = WalkEnergy.kilocalories(metres: 2000, in: time, kilograms: 70)
        #expect((136.49...136.51).contains(exact))
        #expect(WalkEnergy.kilocalories(metres: 1600, in: time, kilograms: 100) == 140)
    }

    @Test func `a walk without time has no speed and takes no energy`() {
        #expect(WalkEnergy.kilometresPerHour(metres: 5, in: .zero) == 0)
        #expect(WalkEnergy.kilocalories(metres: 5, in: .zero, kilograms: 70) == 0)
    }
}

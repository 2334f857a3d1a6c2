internal import PluginKit

/// The energy that a walk takes, by the metabolic equivalent of its speed.
///
/// ```swift
/// // 2 km in half an hour are 4.0 km/h, 3.9 MET: 3.9 × 70 kg × 0.5 h
/// WalkEnergy.kilocalories(metres: 2000, in: .seconds(1800), kilograms: 70)  // 136.5
/// ```
enum WalkEnergy {
    /// The fastest speed of each metabolic equivalent, in kilometres per hour, slowest first.
    private static let equivalents: [(kilometresPerHourMax: Double, met: Double)] = [
        (3.2, 2.8), (4.8, 3.9), (6.4, 4.5),
    ]
    /// The metabolic equivalent of every faster speed.
    private static let fastest = 6.0

    /// Returns the speed in kilometres per hour; 0 for a walk without time.
    static func kilometresPerHour(metres: Double, in time: Duration) -> Double {
        let hours = hours(time)
        return hours > 0 ? metres / 1000 / hours : 0
    }

    /// Returns the metabolic equivalent of a speed.
    static func met(kilometresPerHour: Double) -> Double {
        equivalents.first { kilometresPerHour <= $0.kilometresPerHourMax }?.met ?? fastest
    }

    /// Returns the energy of a walk in kilocalories.
    static func kilocalories(metres: Double, in time: Duration, kilograms: Int) -> Double {
        met(kilometresPerHour: kilometresPerHour(metres: metres, in: time)) * Double(kilograms)
            * hours(time)
    }

    private static func hours(_ time: Duration) -> Double {
        Double(max(0, time.milliseconds)) / 1000 / 3600
    }
}

import Contract
import InterestsAPI
import PanelKit

/// The beat of a match whose distance is known, as a circle that swells and shrinks.
struct PulseBeat: Equatable, Sendable {
    /// The strength, from 0 for no beat to 1.
    let strength: Double
    /// The number of beats per second, at least 1.
    let rate: Double

    /// The radius of the circle between two beats, as a share of the largest.
    static let restingShare = 0.5
    /// The part of a beat in which the circle swells; in the rest it shrinks.
    static let swellingPart = 0.25

    /// Reads a pulse; nil if it has no strength because the distance is not known.
    init?(_ pulse: Pulse) {
        guard let strength = pulse.strength?.value else { return nil }
        self.strength = strength
        rate = pulse.rate.value
    }

    /// Returns the radius at a moment, as a share of the largest: from ``restingShare`` to
    /// ``stillShare``.
    ///
    /// ```swift
    /// PulseBeat(pulse)?.share(at: .zero)  // 0.5, between two beats
    /// ```
    func share(at time: Duration) -> Double {
        let beats = time / .seconds(1) * rate
        let part = beats - beats.rounded(.down)
        let swollen =
            part < Self.swellingPart
            ? part / Self.swellingPart : (1 - part) / (1 - Self.swellingPart)
        return Self.restingShare + (stillShare - Self.restingShare) * swollen * swollen
    }

    /// The largest radius of the beat, which a circle has that does not move.
    var stillShare: Double { Self.restingShare + (1 - Self.restingShare) * strength }

    /// The numbers of the beat, for a circle that does not move and for a screen reader.
    var text: String {
        let percent = Int((strength * 100).rounded())
        return localized("\(rate.inTenths) beats per second, \(percent)% strong")
    }
}

public import PluginKit

/// The rule of the ranged mode: which of the measured devices a drop is meant for.
///
/// ```swift
/// DropBand.choice(among: [near(0.10, ±0.01), other(0.14, ±0.01)])  // .one(near)
/// DropBand.choice(among: [near(0.10, ±0.03), other(0.14, ±0.03)])  // .several: ask
/// ```
public enum DropBand {
    /// A device must be further away than this, in metres.
    public static let beyondMetres = 0.09
    /// A device must be nearer than this, in metres.
    public static let withinMetres = 0.15
    /// The largest uncertainty of a distance that counts, in metres.
    public static let uncertaintyMetresMax = 0.03
    /// The largest angle from straight ahead, in degrees, if the direction is known.
    public static let offAxisDegreesMax = 35.0
    /// The time for which measurements are collected, so that another device in the band is not
    /// missed because its measurement comes a moment later.
    public static let collecting = Duration.milliseconds(300)

    /// The choice among the devices in the band.
    public enum Choice: Hashable, Sendable {
        /// No device is in the band.
        case nobody
        /// The only one, or the clearly nearest one.
        case one(DeviceID)
        /// Several, none of which is clearly the nearest, in the order of their keys.
        case several([DeviceID])
    }

    /// Returns what keeps a measured device out of the band; nil if it is in it. An unknown
    /// distance or uncertainty does, and an unknown direction decides nothing.
    public static func obstacle(_ measurement: RangeMeasurement) -> RangedAdvice? {
        guard let distance = measurement.distanceMetres else { return .holdTogether }
        guard distance > beyondMetres else { return .furtherApart }
        guard distance < withinMetres else { return .closer }
        guard let uncertainty = measurement.uncertaintyMetres,
            uncertainty <= uncertaintyMetresMax
        else { return .holdStill }
        if let direction = measurement.direction, direction.offAxisDegrees > offAxisDegreesMax {
            return .pointAhead
        }
        return nil
    }

    /// Returns the device that a drop is meant for. Of several in the band the nearest is, if it is
    /// nearer than the next one by more than the two uncertainties together.
    public static func choice(among measurements: some Collection<RangeMeasurement>) -> Choice {
        let found = measurements.filter { obstacle($0) == nil }.sorted {
            ($0.distanceMetres ?? 0, $0.device) < ($1.distanceMetres ?? 0, $1.device)
        }
        guard let nearest = found.first else { return .nobody }
        guard found.count > 1 else { return .one(nearest.device) }
        let isClear = found.dropFirst().allSatisfy { next in
            let gap = (next.distanceMetres ?? 0) - (nearest.distanceMetres ?? 0)
            return gap > (next.uncertaintyMetres ?? 0) + (nearest.uncertaintyMetres ?? 0)
        }
        return isClear ? .one(nearest.device) : .several(found.map(\.device).sorted())
    }
}

/// The condition that a ranged drop waits for.
public enum RangedAdvice: Hashable, Sendable {
    /// No device is measured.
    case holdTogether
    /// The nearest device is too far away.
    case closer
    /// The nearest device is too near.
    case furtherApart
    /// The distance is not known precisely enough.
    case holdStill
    /// The nearest device is not in front of this one.
    case pointAhead
    /// Several devices are in the band.
    case choose

    /// Returns the advice about measured devices: what keeps the nearest one out of the band.
    public init(about measurements: some Collection<RangeMeasurement>) {
        if case .several = DropBand.choice(among: measurements) {
            self = .choose
        } else {
            let nearest = measurements.min {
                ($0.distanceMetres ?? .infinity) < ($1.distanceMetres ?? .infinity)
            }
            self = nearest.flatMap(DropBand.obstacle) ?? .holdTogether
        }
    }

    /// A sentence for a person.
    public var sentence: Sentence {
        switch self {
        case .holdTogether: "Hold the two devices about 12 cm apart."
        case .closer: "Move the devices closer, to about 12 cm."
        case .furtherApart: "Hold the two devices a little further apart."
        case .holdStill: "Hold the devices still for a moment."
        case .pointAhead: "Point the device at the other one."
        case .choose: "Several people are this close. Choose one."
        }
    }
}

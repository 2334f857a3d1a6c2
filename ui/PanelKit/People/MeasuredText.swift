import Contract
public import FeaturesAPI
import Location

extension MeasuredWay {
    /// The distance, the direction and the age in words, as far as each is known, such as "12 cm
    /// ahead, just now".
    public var text: String? {
        Self.text(
            distanceMetres: distanceMetres?.value, turnDegrees: turnDegrees?.value,
            ageSeconds: ageSeconds.value)
    }

    /// Returns a measured way in words; nil if neither a distance nor a direction is known.
    public static func text(
        distanceMetres: Double?, turnDegrees: Double?, ageSeconds: Int
    ) -> String? {
        let distance = distanceMetres.flatMap { DistanceText.measured(metres: $0) }
        let turn = turnDegrees.flatMap { TurnWord(degrees: $0) }.map(\.name)
        let way = [distance, turn].compactMap { $0 }
        guard !way.isEmpty else { return nil }
        let age = ageSeconds < 1 ? localized("just now") : localized("\(ageSeconds) s ago")
        return way.joined(separator: " ") + ", " + age
    }
}

/// One of the eight main directions as seen from this device.
enum TurnWord: Int, CaseIterable {
    case ahead, aheadRight, right, behindRight, behind, behindLeft, left, aheadLeft

    /// The direction nearest to a turn.
    /// - Parameter degrees: to the right; nil results if it is not within half a circle.
    init?(degrees: Double) {
        guard TurnDegrees.range.contains(degrees) else { return nil }
        let turn = degrees < 0 ? degrees + 360 : degrees
        self.init(rawValue: Int((turn / 45).rounded()) % Self.allCases.count)
    }

    /// The direction in words.
    var name: String {
        switch self {
        case .ahead: localized("ahead")
        case .aheadRight: localized("ahead to the right")
        case .right: localized("to the right")
        case .behindRight: localized("behind to the right")
        case .behind: localized("behind you")
        case .behindLeft: localized("behind to the left")
        case .left: localized("to the left")
        case .aheadLeft: localized("ahead to the left")
        }
    }
}

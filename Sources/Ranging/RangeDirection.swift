internal import Foundation

/// A direction as seen from this device: a vector of length 1.
///
/// ```swift
/// RangeDirection([0, 0, 1])?.offAxisDegrees  // 0: straight ahead
/// RangeDirection([1, 0, 0])?.turnDegrees  // 90: to the right
/// RangeDirection([0, 0, 2])  // nil: its length is not 1
/// ```
public struct RangeDirection: Hashable, Sendable {
    /// The part to the right.
    public let right: Double
    /// The part upwards.
    public let up: Double
    /// The part ahead: the direction in which the device points when its owner holds it out.
    public let ahead: Double

    /// Checks three numbers: to the right, up and ahead.
    /// - Returns: nil for another count of numbers, or a length outside
    ///   ``RangingLimits/directionLengths``.
    public init?(_ parts: [Double]) {
        guard parts.count == 3 else { return nil }
        let length = parts.map { $0 * $0 }.reduce(0, +).squareRoot()
        guard RangingLimits.directionLengths.contains(length) else { return nil }
        (right, up, ahead) = (parts[0], parts[1], parts[2])
    }

    /// The angle between the direction and straight ahead, 0 to 180 degrees.
    public var offAxisDegrees: Double {
        atan2((right * right + up * up).squareRoot(), ahead) * 180 / .pi
    }

    /// The turn to the right that makes the device point there, -180 to 180 degrees; negative to
    /// the left.
    public var turnDegrees: Double { atan2(right, ahead) * 180 / .pi }
}

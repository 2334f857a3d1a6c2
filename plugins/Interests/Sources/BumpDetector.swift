internal import PluginKit

/// Finds out from measured distances that two people hold their devices together.
///
/// A touch counts once: the next one begins only after the devices were measured apart. For
/// example, of the distances 0.2, 0.05, 0.06, 0.2 and 0.05 m the second and the last begin a touch.
struct BumpDetector: Sendable {
    /// Devices touch below this distance, in metres.
    static let distanceMetresEnd = 0.08
    /// The largest uncertainty of a distance that counts, in metres.
    static let uncertaintyMetresMax = 0.03

    private var touching: DeviceID?

    /// Whether a measurement is a touch. A number that is negative or none at all is not.
    static func isTouch(metres: Double, uncertaintyMetres: Double) -> Bool {
        (0..<distanceMetresEnd).contains(metres)
            && (0...uncertaintyMetresMax).contains(uncertaintyMetres)
    }

    /// Receives a measurement of the match's device.
    /// - Returns: whether a touch begins with it.
    mutating func receive(
        _ device: DeviceID, metres: Double, uncertaintyMetres: Double
    ) -> Bool {
        guard Self.isTouch(metres: metres, uncertaintyMetres: uncertaintyMetres) else {
            // A distance that is not certain enough does not show that they are apart.
            if touching == device, metres >= Self.distanceMetresEnd { touching = nil }
            return false
        }
        defer { touching = device }
        return touching != device
    }
}

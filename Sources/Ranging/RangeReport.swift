/// One measurement as a provider states it, unchecked. A value that was not measured is nil.
///
/// ```swift
/// RangeReport(device: theirs, distanceMetres: 0.12, direction: [0, 0, 1], uncertaintyMetres: 0.02)
/// ```
public struct RangeReport: Hashable, Sendable {
    /// The measured device.
    public var device: DeviceID
    /// The distance in metres.
    public var distanceMetres: Double?
    /// The direction as three numbers: to the right, up, and ahead of this device. A vector of
    /// another length than 1 counts as unknown.
    public var direction: [Double]?
    /// The distance by which ``distanceMetres`` may be wrong, in metres.
    public var uncertaintyMetres: Double?
    /// The age of the measurement in seconds.
    public var ageSeconds: Double

    /// Creates a report.
    public init(
        device: DeviceID, distanceMetres: Double? = nil, direction: [Double]? = nil,
        uncertaintyMetres: Double? = nil, ageSeconds: Double = 0
    ) {
        self.device = device
        self.distanceMetres = distanceMetres
        self.direction = direction
        self.uncertaintyMetres = uncertaintyMetres
        self.ageSeconds = ageSeconds
    }
}

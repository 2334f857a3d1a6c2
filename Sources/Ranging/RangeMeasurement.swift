/// A checked measurement of the way to another device. An unknown value is nil, never 0.
public struct RangeMeasurement: Hashable, Sendable {
    /// The measured device.
    public let device: DeviceID
    /// The distance in metres, 0 to ``RangingLimits/metresMax``.
    public let distanceMetres: Double?
    /// The direction, as seen from this device.
    public let direction: RangeDirection?
    /// The distance by which ``distanceMetres`` may be wrong, in metres; at least 0.
    public let uncertaintyMetres: Double?
    /// The time of the measurement, on the uptime clock.
    public let at: Duration

    /// Checks a report.
    /// - Parameter now: the uptime at which the report arrived.
    /// - Throws: the first ``RangeFault`` found, in the order distance, uncertainty, age, nothing
    ///   measured. A direction that is none counts as unknown.
    public init(_ report: RangeReport, now: Duration) throws(RangeFault) {
        let metres = 0...RangingLimits.metresMax
        // A range contains no NaN, so these checks also refuse all values that are not finite.
        if let distance = report.distanceMetres, !metres.contains(distance) {
            throw .distanceOutOfRange(distance)
        }
        if let uncertainty = report.uncertaintyMetres, !metres.contains(uncertainty) {
            throw .uncertaintyOutOfRange(uncertainty)
        }
        guard (0...RangingLimits.ageMax / .seconds(1)).contains(report.ageSeconds) else {
            throw .ageOutOfRange(report.ageSeconds)
        }
        device = report.device
        distanceMetres = report.distanceMetres
        direction = report.direction.flatMap(RangeDirection.init)
        uncertaintyMetres = report.distanceMetres.flatMap { _ in report.uncertaintyMetres }
        at = now - .seconds(report.ageSeconds)
        guard distanceMetres != nil || direction != nil else { throw .nothingMeasured }
    }

    /// Returns the age of the measurement.
    public func age(at now: Duration) -> Duration { max(.zero, now - at) }
}

/// The reason why a report is no measurement. They are checked in the order of the cases.
public enum RangeFault: SentenceError, Hashable, Sendable {
    /// The device is not linked.
    case notLinked
    /// The distance is negative, not finite or too large.
    case distanceOutOfRange(Double)
    /// The uncertainty is negative, not finite or too large.
    case uncertaintyOutOfRange(Double)
    /// The age is negative, not finite or too large.
    case ageOutOfRange(Double)
    /// Neither a distance nor a direction was measured.
    case nothingMeasured
    /// A newer measurement of the device is known.
    case outdated

    /// A sentence for people about the refused value.
    public var sentence: Sentence {
        switch self {
        case .notLinked: "A measured device is not linked to this one."
        case .distanceOutOfRange(let metres):
            "The distance \(metres) m is not between 0 and 1000 m."
        case .uncertaintyOutOfRange(let metres):
            "The uncertainty \(metres) m is not between 0 and 1000 m."
        case .ageOutOfRange(let seconds): "The age \(seconds) s is not between 0 and 10 s."
        case .nothingMeasured: "A report has neither a distance nor a direction."
        case .outdated: "A report is older than one that was received before it."
        }
    }
}

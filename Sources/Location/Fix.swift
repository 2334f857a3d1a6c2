/// A location with its accuracy and time, as one source reported it. Values that the source did not
/// report are nil, never 0.
///
/// ```swift
/// let fix = Fix(point: try Point(latitude: 52.52, longitude: 13.405), accuracyMetres: 8)
/// ```
public struct Fix: Hashable, Sendable {
    /// The location.
    public let point: Point
    /// The radius of the circle that probably contains the true location, in metres.
    public let accuracyMetres: Double?
    /// The time of the fix by the source's clock.
    public let at: Timestamp?

    /// Creates a fix. A negative or non-finite accuracy becomes nil.
    public init(point: Point, accuracyMetres: Double? = nil, at: Timestamp? = nil) {
        self.point = point
        self.accuracyMetres = accuracyMetres.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
        self.at = at
    }
}

/// How far and in which direction a ranging provider sees another device. Every part is optional
/// on its own: what the provider does not know is absent, never 0. A position on a map is never
/// turned into a reading, because two people in one café are 0 m apart there.
public struct RangeReading: Hashable, Sendable, Codable {
    /// Distance in metres, not negative.
    public let distanceMetres: Double?
    /// The provider's own bound on the error of the distance, in metres.
    public let uncertaintyMetres: Double?
    /// Direction, degrees clockwise from north, 0 up to but not including 360.
    public let bearingDegrees: Double?

    /// A number that is not finite or out of its range says nothing and is left out.
    public init(
        distanceMetres: Double? = nil, uncertaintyMetres: Double? = nil,
        bearingDegrees: Double? = nil
    ) {
        self.distanceMetres = distanceMetres.flatMap(Self.length)
        self.uncertaintyMetres = uncertaintyMetres.flatMap(Self.length)
        self.bearingDegrees = bearingDegrees.flatMap { (0..<360).contains($0) ? $0 : nil }
    }

    private static func length(_ metres: Double) -> Double? {
        metres.isFinite && metres >= 0 ? metres : nil
    }
}

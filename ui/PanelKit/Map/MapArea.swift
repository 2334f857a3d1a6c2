import Location

/// The part of the map that a list is about: a circle around the middle of the map, up to its upper
/// and lower edges.
public struct MapArea: Equatable, Sendable {
    /// The middle.
    public var centre: Coordinate
    /// Half of the visible height on the ground, in metres; positive.
    public var radiusMetres: Double

    /// Creates an area.
    public init(centre: Coordinate, radiusMetres: Double) {
        self.centre = centre
        self.radiusMetres = radiusMetres
    }

    /// Whether a location is in the area; one at exactly the radius is.
    public func contains(_ location: Coordinate) -> Bool {
        centre.distanceMetres(to: location) <= radiusMetres
    }
}

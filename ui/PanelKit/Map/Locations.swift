public import FeaturesAPI

extension MyLocation {
    /// The location on the map, or nil if none is known or it is not on Earth.
    public var coordinate: Coordinate? {
        guard let latitude, let longitude else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }
}

extension MateList.SharedLocation {
    /// The location on the map, or nil if the numbers are not a location on Earth.
    public var coordinate: Coordinate? { Coordinate(latitude: latitude, longitude: longitude) }
}

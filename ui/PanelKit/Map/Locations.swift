public import FeaturesAPI

extension MyLocation {
    /// The location on the map, or nil if none is known.
    public var coordinate: Coordinate? {
        guard let latitude, let longitude else { return nil }
        return Coordinate(latitude, longitude)
    }
}

extension MateList.SharedLocation {
    /// The location on the map.
    public var coordinate: Coordinate { Coordinate(latitude, longitude) }
}

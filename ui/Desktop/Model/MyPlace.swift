/// What "location show" answers: nothing where no place is set.
struct MyPlace: Decodable, Equatable, Sendable {
    var latitude: Double?
    var longitude: Double?
    var accuracyMetres: Double?
    var atMs: Int64?

    /// The point on the map, where one is set and is a place on Earth.
    var coordinate: Coordinate? {
        guard let latitude, let longitude else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }
}

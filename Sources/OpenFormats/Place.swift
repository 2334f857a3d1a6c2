/// A named location, as GeoJSON (RFC 7946) has it.
public struct Place: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The location.
    public var point: Point
    /// The moment that it is about, such as the time of an appointment there.
    public var at: Timestamp?

    /// Creates a place.
    public init(name: String, point: Point, at: Timestamp? = nil) {
        self.name = name
        self.point = point
        self.at = at
    }

    /// Returns places as the features of a GeoJSON file.
    public static func geoJSON(_ places: [Place]) -> String {
        GeoJSONText.collection(
            places.map { place in
                GeoJSONText.feature(
                    "Point", GeoJSONText.position(place.point),
                    ["name": GeoJSONText.quoted(place.name)].merging(
                        place.at.map { ["time": GeoJSONText.quoted(TimeText.text($0))] } ?? [:]
                    ) { one, _ in one })
            })
    }
}

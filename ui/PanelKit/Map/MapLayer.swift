/// The part of the map that a panel shows.
public struct MapLayer: Equatable, Sendable {
    /// Points, in the order in which the Tab key goes through them.
    public var markers: [MapMarker]
    /// Areas around a point, painted under the markers.
    public var circles: [MapCircle]
    /// Ways, painted under the markers.
    public var tracks: [MapTrack]

    /// Creates a layer; without arguments it shows nothing.
    public init(
        markers: [MapMarker] = [], circles: [MapCircle] = [], tracks: [MapTrack] = []
    ) {
        self.markers = markers
        self.circles = circles
        self.tracks = tracks
    }

    /// Returns all layers as one. A marker replaces one with the same id in an earlier layer: a
    /// mate who is on the way to a meeting is shown at their current location instead of their last
    /// one.
    public static func merged(_ layers: [MapLayer]) -> MapLayer {
        layers.reduce(into: MapLayer()) { merged, layer in
            let ids = Set(layer.markers.map(\.id))
            merged.markers.removeAll { ids.contains($0.id) }
            merged.markers += layer.markers
            merged.circles += layer.circles
            merged.tracks += layer.tracks
        }
    }
}

/// An area on the map.
public struct MapCircle: Equatable, Sendable {
    /// The middle.
    public var centre: Coordinate
    /// The distance from the middle to the edge on the ground, in metres.
    public var radiusMetres: Double

    /// Creates a circle around a location.
    public init(centre: Coordinate, radiusMetres: Double) {
        self.centre = centre
        self.radiusMetres = radiusMetres
    }
}

/// A way on the map.
public struct MapTrack: Equatable, Sendable {
    /// The id of the item that the way belongs to.
    public var id: String
    /// The name of the way.
    public var title: String
    /// The locations along the way, in order.
    public var locations: [Coordinate]

    /// Creates a way through these locations.
    public init(id: String, title: String, locations: [Coordinate]) {
        self.id = id
        self.title = title
        self.locations = locations
    }
}

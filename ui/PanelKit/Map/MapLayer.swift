/// The part of the map that a panel shows.
public struct MapLayer: Equatable, Sendable {
    /// Points, in the order in which the Tab key goes through them.
    public var markers: [MapMarker]
    /// Areas around a point, painted under the markers.
    public var circles: [MapCircle]
    /// Tracks, painted under the markers.
    public var tracks: [MapTrack]
    /// Ways that are still to go, painted under the markers. A click goes through them.
    public var ways: [MapWay]

    /// Creates a layer; without arguments it shows nothing.
    public init(
        markers: [MapMarker] = [], circles: [MapCircle] = [], tracks: [MapTrack] = [],
        ways: [MapWay] = []
    ) {
        self.markers = markers
        self.circles = circles
        self.tracks = tracks
        self.ways = ways
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
            merged.ways += layer.ways
        }
    }
}

extension MapLayer {
    /// Whether the layer shows an item.
    public func contains(_ item: MapItem) -> Bool {
        switch item {
        case .marker(let marker): markers.contains(marker)
        case .circle(let circle): circles.contains(circle)
        case .track(let track): tracks.contains(track)
        }
    }
}

/// One thing on the map that a click can mean.
public enum MapItem: Equatable, Sendable {
    /// A point.
    case marker(MapMarker)
    /// An area.
    case circle(MapCircle)
    /// A track.
    case track(MapTrack)

    /// The id of what the item belongs to, by which a panel knows what to open.
    public var id: String {
        switch self {
        case .marker(let marker): marker.id
        case .circle(let circle): circle.id
        case .track(let track): track.id
        }
    }
}

/// An area on the map.
public struct MapCircle: Equatable, Sendable {
    /// The id of the item that the area belongs to.
    public var id: String
    /// The middle.
    public var centre: Coordinate
    /// The distance from the middle to the edge on the ground, in metres.
    public var radiusMetres: Double

    /// Creates a circle around a location.
    public init(id: String, centre: Coordinate, radiusMetres: Double) {
        self.id = id
        self.centre = centre
        self.radiusMetres = radiusMetres
    }
}

/// A track on the map.
public struct MapTrack: Equatable, Sendable {
    /// The id of the item that the track belongs to.
    public var id: String
    /// The name of the track.
    public var title: String
    /// The locations along the track, in order.
    public var locations: [Coordinate]

    /// Creates a track through these locations.
    public init(id: String, title: String, locations: [Coordinate]) {
        self.id = id
        self.title = title
        self.locations = locations
    }
}

/// The straight line from someone under way to where they want to be, drawn with dashes.
public struct MapWay: Equatable, Sendable {
    /// Their location.
    public var start: Coordinate
    /// The location that they want to reach.
    public var end: Coordinate

    /// Creates a way.
    public init(from start: Coordinate, to end: Coordinate) {
        self.start = start
        self.end = end
    }
}

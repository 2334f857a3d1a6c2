public import GtkKit

/// A point that is shown on the map.
public struct MapMarker: Equatable, Sendable {
    /// The look of a marker.
    public enum Symbol: Equatable, Sendable {
        /// A dot with a ring: the user.
        case me
        /// A disc with the first letter of the title.
        case person
        /// A flag: a walk or a promise is planned here.
        case flag
        /// A small disc with a rim: a position on a route that is replayed.
        case position
        /// A speech balloon: a post. Posts are listed for the visible part of the map, so the view
        /// never moves to show them.
        case post
    }

    /// A person's key, or the id of the record that the marker shows.
    public var id: String
    /// The look of the marker.
    public var symbol: Symbol
    /// The location.
    public var coordinate: Coordinate
    /// The name of the thing at the location.
    public var title: String
    /// The age of the location, or the plan for it.
    public var detail: String
    /// Whether the location may no longer be true; it is painted faded.
    public var isStale: Bool
    /// The photo of the person; nil shows the first letter of the title.
    public var photo: Picture?
    /// The value that the marker's menu passes to panels, such as the person; nil is the location.
    public var offer: Offer?

    /// The age up to which a location is taken to be true.
    public static let freshMax = Duration.seconds(120)

    /// Creates a marker.
    public init(
        id: String, symbol: Symbol, coordinate: Coordinate, title: String, detail: String,
        isStale: Bool = false, photo: Picture? = nil, offer: Offer? = nil
    ) {
        self.id = id
        self.symbol = symbol
        self.coordinate = coordinate
        self.title = title
        self.detail = detail
        self.isStale = isStale
        self.photo = photo
        self.offer = offer
    }
}

public import GtkKit

/// A point that is shown on the map.
public struct MapMarker: Equatable, Sendable {
    /// The look of a marker.
    public enum Symbol: Equatable, Sendable {
        /// A dot with a ring: the user.
        case me
        /// A disc with the photo of a person, the first letter of their name, or a symbol.
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
    /// The photo of the person; nil shows ``letter``.
    public var photo: Picture?
    /// The first letter of the person's name. Without a name it is empty, and the disc has a symbol
    /// of a person.
    public var letter: String
    /// The value that the marker's menu passes to panels, such as the person; nil is the location.
    public var offer: Offer?

    /// The age up to which a location is taken to be true.
    public static let freshMax = Duration.seconds(120)

    /// Creates a marker.
    /// - Parameter name: the name of the person; nil if they have none.
    public init(
        id: String, symbol: Symbol, coordinate: Coordinate, title: String, detail: String,
        isStale: Bool = false, photo: Picture? = nil, name: String? = nil, offer: Offer? = nil
    ) {
        self.id = id
        self.symbol = symbol
        self.coordinate = coordinate
        self.title = title
        self.detail = detail
        self.isStale = isStale
        self.photo = photo
        letter = Self.firstLetter(of: name ?? "")
        self.offer = offer
    }

    /// Returns the first letter or digit of a name, as a capital; empty if it has none.
    private static func firstLetter(of name: String) -> String {
        name.first { $0.isLetter || $0.isNumber }.map { $0.uppercased() } ?? ""
    }
}

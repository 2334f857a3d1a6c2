import PanelKit

/// The area whose posts are listed, as it follows the map and the user.
///
/// While the map shows the user's location, the list is about its surroundings. If the map leaves
/// it, the list stays where it is until the user searches there. The radius is always half the
/// visible height of the map. For example: a list around me of 700 m; zooming in makes it 467 m at
/// once; moving the map to the next town changes nothing, and "Search this area" lists 467 m there.
/// In a narrow window the map may never have been shown: the list is then about the 2 km around the
/// user.
struct PostListing: Equatable, Sendable {
    /// The listed area; nil before the map was on the screen and the user's location is known.
    private(set) var area: MapArea?

    /// The share of the radius by which a middle or a radius may differ from what is listed. A map
    /// that moves by a pixel is no other area, and a person who walks moves all the time.
    private static let tolerance = 0.05

    /// The radius around the user before the map was on the screen, in metres.
    static let initialRadiusMetres = 2_000.0

    /// Follows the map and the user.
    /// - Parameter map: the visible part; nil before the map was on the screen.
    /// - Returns: whether another area is listed now.
    mutating func follow(_ map: MapArea?, location: Coordinate?) -> Bool {
        guard let map else {
            guard let location else { return false }
            return list(MapArea(centre: location, radiusMetres: Self.initialRadiusMetres))
        }
        let isAroundMe = location.map(map.contains) ?? false
        let centre = (isAroundMe ? location : area?.centre ?? location) ?? map.centre
        return list(MapArea(centre: centre, radiusMetres: map.radiusMetres))
    }

    /// Lists what the map shows now.
    /// - Returns: whether that is another area.
    mutating func search(_ map: MapArea?) -> Bool { map.map { list($0) } ?? false }

    private mutating func list(_ wanted: MapArea) -> Bool {
        guard area.map({ Self.differs(wanted, from: $0) }) ?? true else { return false }
        area = wanted
        return true
    }

    /// Whether "Search this area" is shown: if the map has left the user's location, so that the
    /// location is not on it any more, and no walk is being recorded. A map whose area is listed
    /// already has nothing to search.
    func offersSearch(_ map: MapArea?, location: Coordinate?, isWalking: Bool) -> Bool {
        guard !isWalking, let map, area.map({ Self.differs(map, from: $0) }) ?? true else {
            return false
        }
        return !(location.map(map.contains) ?? false)
    }

    private static func differs(_ one: MapArea, from other: MapArea) -> Bool {
        let most = other.radiusMetres * tolerance
        return abs(one.radiusMetres - other.radiusMetres) > most
            || one.centre.distanceMetres(to: other.centre) > most
    }

    /// The number of rows after the last one in sight when the next page is asked for.
    private static let rowsLeftMax = 2

    /// Whether the next page is asked for, once a row of the list is in sight: two rows before the
    /// end of what is loaded. For example, row 17 of 20 asks, counted from 0, and row 16 does not.
    static func asksNextPage(rowInSight: Int, loadedCount: Int, hasMore: Bool) -> Bool {
        hasMore && rowInSight + rowsLeftMax + 1 >= loadedCount
    }
}

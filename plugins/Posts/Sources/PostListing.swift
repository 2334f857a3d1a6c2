internal import PluginKit

/// The rules by which the list of posts follows the map.
enum PostListing {
    /// Returns the area whose posts are listed: around the middle of the map, up to its upper and
    /// lower edges. Nil if the height is negative or not a number.
    static func area(middle: Point, visibleHeightMetres: Double) -> Area? {
        Area(around: middle, radiusMetres: visibleHeightMetres / 2)
    }

    /// Whether the next page is asked for, once a row of the list is in sight: two rows before the
    /// end of what is loaded. For example, row 17 of 20 asks, counted from 0, and row 16 does not.
    static func asksNextPage(rowInSight: Int, loadedCount: Int, hasMore: Bool) -> Bool {
        hasMore && rowInSight + PostLimits.rowsLeftMax + 1 >= loadedCount
    }

    /// Whether "Search this area" is shown: if the map has left this person's location, so that the
    /// location is not on it any more, and no walk is being recorded. A map whose area is listed
    /// already has nothing to search.
    /// - Parameters:
    ///   - shown: the area of the map.
    ///   - listed: the area whose posts are listed; nil for none.
    ///   - location: this person's location; nil if it is not known.
    static func offersSearch(
        shown: Area, listed: Area?, location: Point?, isWalking: Bool
    ) -> Bool {
        guard !isWalking, shown != listed else { return false }
        return !(location.map(shown.contains) ?? false)
    }
}

/// The window's map as panels see it.
@MainActor
public protocol PanelMap: AnyObject {
    /// The location that the user chose; nil if none.
    var chosen: Coordinate? { get }
    /// The visible part; nil before the map was on the screen for the first time.
    var visibleArea: MapArea? { get }
    /// Whether the map is on the screen.
    var isMapped: Bool { get }
    /// Chooses a location, or none; `moving` brings it into the middle.
    func choose(_ location: Coordinate?, moving: Bool)
    /// Brings the map into view, if a page hides it.
    func show()
    /// Selects the marker with this id and brings it into view.
    func select(id: String)
    /// Moves the view so that these locations are visible.
    func fit(_ locations: [Coordinate])
    /// Draws the tiles of an MBTiles file beneath everything else; nil draws none.
    /// - Returns: the title of the file; nil if there is none.
    /// - Throws: an error whose description says what is wrong with the file, and what to do. The
    ///   map then draws no tiles.
    func underlay(_ path: String?) async throws -> String?
}

extension PanelMap {
    /// Chooses a location, or none.
    public func choose(_ location: Coordinate?) { choose(location, moving: false) }
}

/// A square part of the world map. At each level, four tiles replace one of the level above.
public struct TileID: Hashable, Sendable {
    /// The level: 0 is the whole world in one tile.
    public let zoom: Int
    /// The column, counted from 180° west.
    public let column: Int
    /// The row, counted from the north.
    public let row: Int

    /// Creates the id of a tile; nil if the level has no such tile.
    public init?(zoom: Int, column: Int, row: Int) {
        guard (0...TileLimits.zoomMax).contains(zoom), (0..<(1 << zoom)).contains(column),
            (0..<(1 << zoom)).contains(row)
        else { return nil }
        self.zoom = zoom
        self.column = column
        self.row = row
    }

    private init(checkedZoom zoom: Int, column: Int, row: Int) {
        self.zoom = zoom
        self.column = column
        self.row = row
    }

    /// Returns the tile that contains this one, so many levels above; nil above the world.
    public func ancestor(levels: Int) -> TileID? {
        guard (0...zoom).contains(levels) else { return nil }
        return TileID(checkedZoom: zoom - levels, column: column >> levels, row: row >> levels)
    }

    /// The row as MBTiles counts it, from the south.
    var rowFromSouth: Int { (1 << zoom) - 1 - row }
}

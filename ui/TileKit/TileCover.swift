internal import Glibc

/// A part of the square world map, in shares of its side from the north-west corner.
public struct TileArea: Hashable, Sendable {
    /// The western and the eastern edge.
    public var west, east: Double
    /// The northern and the southern edge.
    public var north, south: Double

    /// Creates an area.
    public init(west: Double, north: Double, east: Double, south: Double) {
        self.west = west
        self.north = north
        self.east = east
        self.south = south
    }
}

extension TileID {
    /// The part of the world map that the tile shows.
    public var area: TileArea {
        let side = 1 / Double(1 << zoom)
        return TileArea(
            west: Double(column) * side, north: Double(row) * side,
            east: Double(column + 1) * side, south: Double(row + 1) * side)
    }
}

/// The tiles that cover a view: those of the level at which a tile is drawn at about its own size.
public struct TileCover: Hashable, Sendable {
    /// The tiles, from the middle of the view outwards.
    public let tiles: [TileID]

    /// Finds the tiles of a view.
    ///
    /// A view that would need more than ``TileLimits/viewTilesMax`` tiles, or more memory than
    /// ``TileLimits/viewBytesMax``, has the tiles of a coarser level. Nil if there is none, or if a
    /// tile would be enlarged by more than ``TileLimits/enlargedLevelsMax`` levels.
    /// - Parameter worldPixels: the width of the whole world at the view's scale.
    public init?(of area: TileArea, worldPixels: Double, in tileSet: TileSet) {
        guard worldPixels.isFinite, worldPixels >= 1, area.west < area.east,
            area.north < area.south
        else { return nil }
        let wanted = Int(log2(worldPixels / Double(tileSet.tilePixels)) + 0.4)
        let zooms = tileSet.zooms
        guard wanted <= zooms.upperBound + TileLimits.enlargedLevelsMax else { return nil }
        var zoom = min(max(wanted, zooms.lowerBound), zooms.upperBound)
        while Self.count(area, zoom) * tileSet.tileBytes > TileLimits.viewBytesMax
            || Self.count(area, zoom) > TileLimits.viewTilesMax
        {
            zoom -= 1
            guard zoom >= zooms.lowerBound else { return nil }
        }
        tiles = Self.tiles(area, zoom)
    }

    private static func ranges(
        _ area: TileArea, _ zoom: Int
    ) -> (columns: ClosedRange<Int>, rows: ClosedRange<Int>) {
        func range(_ low: Double, _ high: Double) -> ClosedRange<Int> {
            let side = Double(1 << zoom)
            let first = min(max(low * side, 0), side - 1)
            let last = min(max(high * side, first), side - 1)
            return Int(first)...Int(last)
        }
        return (range(area.west, area.east), range(area.north, area.south))
    }

    private static func count(_ area: TileArea, _ zoom: Int) -> Int {
        let ranges = ranges(area, zoom)
        let (count, isLarge) = ranges.columns.count.multipliedReportingOverflow(
            by: ranges.rows.count)
        // A product of bytes follows, so a count beyond any limit is cut.
        return isLarge ? 1 << 24 : min(count, 1 << 24)
    }

    private static func tiles(_ area: TileArea, _ zoom: Int) -> [TileID] {
        let ranges = ranges(area, zoom)
        let column = (ranges.columns.lowerBound + ranges.columns.upperBound) / 2
        let row = (ranges.rows.lowerBound + ranges.rows.upperBound) / 2
        func distance(_ id: TileID) -> Int {
            (id.column - column) * (id.column - column) + (id.row - row) * (id.row - row)
        }
        return ranges.rows.flatMap { row in
            ranges.columns.compactMap { TileID(zoom: zoom, column: $0, row: row) }
        }.sorted { distance($0) < distance($1) }
    }
}

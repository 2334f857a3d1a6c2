import Testing

@testable import TileKit

struct TileCoverTests {
    private func set(_ zooms: ClosedRange<Int> = 0...12, pixels: Int = 256) -> TileSet {
        TileSet(name: "t", attribution: "", zooms: zooms, bounds: nil, tilePixels: pixels)
    }

    /// The tiles of a view of so many pixels in the middle of the world.
    private func tiles(
        _ width: Double, _ height: Double, worldPixels: Double, in set: TileSet
    ) -> [TileID]? {
        let (across, down) = (width / worldPixels / 2, height / worldPixels / 2)
        let area = TileArea(
            west: 0.5 - across, north: 0.5 - down, east: 0.5 + across, south: 0.5 + down)
        return TileCover(of: area, worldPixels: worldPixels, in: set)?.tiles
    }

    @Test func `a tile is drawn at about its own size`() throws {
        let found = try #require(tiles(600, 400, worldPixels: 256 * 1024, in: set()))
        #expect(Set(found.map(\.zoom)) == [10])
        #expect(found.count == 4 * 2)
        let larger = try #require(tiles(600, 400, worldPixels: 256 * 1024, in: set(pixels: 512)))
        #expect(Set(larger.map(\.zoom)) == [9])
    }

    @Test func `the tiles in the middle come first`() throws {
        let found = try #require(tiles(2000, 2000, worldPixels: 256 * 1024, in: set()))
        let first = try #require(found.first)
        #expect((511...512).contains(first.column) && (511...512).contains(first.row))
    }

    @Test func `tiles are enlarged by six levels, and not by seven`() throws {
        let pixels = 256 * Double(1 << 18)
        let found = try #require(tiles(600, 400, worldPixels: pixels, in: set()))
        #expect(Set(found.map(\.zoom)) == [12])
        #expect(tiles(600, 400, worldPixels: pixels * 2, in: set()) == nil)
    }

    @Test func `a view of many pixels has coarser tiles instead of more memory than allowed`()
        throws
    {
        for pixels in [256, 512, 1024] {
            for scale in stride(from: 1.0, to: 2.0, by: 0.1) {
                let set = set(pixels: pixels)
                let world = 256 * 1024 * scale
                let found = try #require(tiles(3840, 2160, worldPixels: world, in: set))
                #expect(found.count * set.tileBytes <= TileLimits.viewBytesMax)
            }
        }
    }

    @Test func `a file whose tiles have a few pixels does not have millions of them in a view`()
        throws
    {
        let small = set(0...22, pixels: 1)
        let found = try #require(tiles(3840, 2160, worldPixels: 4_194_304, in: small))
        #expect(found.count <= TileLimits.viewTilesMax)
    }

    @Test func `a view far above the lowest level has no tiles`() throws {
        let set = set(10...12)
        #expect(tiles(600, 400, worldPixels: 256, in: set) == nil)
        #expect(tiles(600, 400, worldPixels: 256 * 512, in: set)?.first?.zoom == 10)
    }

    @Test func `a view beyond the edge of the world has the tiles at the edge`() throws {
        let area = TileArea(west: -0.5, north: -1, east: 1.5, south: 2)
        let cover = try #require(TileCover(of: area, worldPixels: 512, in: set()))
        #expect(Set(cover.tiles.map(\.zoom)) == [1] && cover.tiles.count == 4)
        let none = TileArea(west: 0, north: 0, east: 0, south: 0)
        #expect(TileCover(of: none, worldPixels: 512, in: set()) == nil)
        #expect(TileCover(of: area, worldPixels: .infinity, in: set()) == nil)
    }

    @Test func `a tile lies in the tile above it`() throws {
        let id = try #require(TileID(zoom: 3, column: 5, row: 6))
        #expect(id.ancestor(levels: 1) == TileID(zoom: 2, column: 2, row: 3))
        #expect(id.ancestor(levels: 3) == TileID(zoom: 0, column: 0, row: 0))
        #expect(id.ancestor(levels: 4) == nil)
        #expect(id.area == TileArea(west: 0.625, north: 0.75, east: 0.75, south: 0.875))
        #expect(TileID(zoom: 3, column: 8, row: 0) == nil)
        #expect(TileID(zoom: 23, column: 0, row: 0) == nil)
    }
}

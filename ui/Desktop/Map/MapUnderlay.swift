import GtkKit
import PanelKit
import TileKit

/// The tiles of an MBTiles file, drawn beneath the map. While it draws it only looks up decoded
/// tiles; it loads and decodes those that are missing one after the other, away from the main loop.
@MainActor
final class MapUnderlay {
    /// Called when a tile that the last view lacked is there.
    var onLoad: @MainActor () -> Void = {}

    private var file: MBTilesFile?
    /// The decoded tiles, and nil for those that the file does not have.
    private var cache = RecentCache<TileID, Picture?>(bytesMax: TileLimits.cacheBytesMax)
    /// The tiles that the last view lacked, the most important one first.
    private var wanted: [TileID] = []
    /// The tile that is loaded now.
    private var loading: TileID?
    private var work: Task<Void, Never>?

    /// The facts about the file; nil if there is none.
    var tileSet: TileSet? { file?.tileSet }

    /// Draws the tiles of another file; nil draws none.
    func use(_ file: MBTilesFile?) {
        work?.cancel()
        work = nil
        loading = nil
        self.file = file
        cache = RecentCache(bytesMax: TileLimits.cacheBytesMax)
        wanted = []
    }

    /// Draws the tiles of a view, and begins to load those that are missing.
    func paint(_ painter: Painter, _ viewport: Viewport) {
        guard let tileSet,
            let cover = TileCover(
                of: viewport.tileArea, worldPixels: viewport.worldPixels, in: tileSet)
        else { return }
        var missing: [TileID] = []
        for id in cover.tiles {
            let found = find(id, in: tileSet)
            if let wanted = found.wanted, !missing.contains(wanted) { missing.append(wanted) }
            guard let drawn = found.drawn else { continue }
            draw(drawn.picture, of: drawn.id, for: id, painter, viewport)
        }
        wanted = missing.filter { $0 != loading }
        load()
    }

    /// Returns the picture for a tile: its own, else the part of a tile above it; and the tile that
    /// is to be loaded for it.
    private func find(
        _ id: TileID, in tileSet: TileSet
    ) -> (drawn: (id: TileID, picture: Picture)?, wanted: TileID?) {
        var wanted: TileID?
        for levels in 0...TileLimits.enlargedLevelsMax {
            guard let above = id.ancestor(levels: levels), above.zoom >= tileSet.zooms.lowerBound
            else { break }
            switch cache.value(of: above) {
            case .some(.some(let picture)): return ((above, picture), wanted)
            case .some(.none): break
            case .none: wanted = wanted ?? above
            }
        }
        return (nil, wanted)
    }

    private func draw(
        _ picture: Picture, of source: TileID, for id: TileID, _ painter: Painter,
        _ viewport: Viewport
    ) {
        let area = id.area
        let topLeft = viewport.pixel(of: MapPoint(east: area.west, south: area.north)).rounded
        let bottomRight = viewport.pixel(of: MapPoint(east: area.east, south: area.south)).rounded
        let share = 1 / Double(1 << (id.zoom - source.zoom))
        let column = id.column - source.column << (id.zoom - source.zoom)
        let row = id.row - source.row << (id.zoom - source.zoom)
        let size = Size(width: picture.size.width * share, height: picture.size.height * share)
        painter.draw(
            picture,
            part: (Point(x: Double(column) * size.width, y: Double(row) * size.height), size),
            at: topLeft,
            Size(width: bottomRight.x - topLeft.x, height: bottomRight.y - topLeft.y))
    }

    private func load() {
        guard work == nil, let file, !wanted.isEmpty else { return }
        work = Task { [weak self] in
            while let id = self?.wanted.first {
                self?.wanted.removeFirst()
                self?.loading = id
                let picture = await Self.picture(of: id, in: file)
                guard !Task.isCancelled, let self else { return }
                loading = nil
                cache.insert(picture, bytes: picture?.bytesCount ?? 0, of: id)
                onLoad()
            }
            self?.work = nil
        }
    }

    /// Loads and decodes a tile; nil if the file has none that can be drawn.
    @concurrent nonisolated private static func picture(
        of id: TileID, in file: MBTilesFile
    ) async -> Picture? {
        guard let bytes = try? await file.tile(id), let checked = try? TilePicture(bytes),
            checked.pixels <= file.tileSet.tilePixels
        else { return nil }
        let format: Picture.Format = checked.format == .png ? .png : .jpeg
        return Picture(decoding: bytes, format: format, pixelsMax: TileLimits.tilePixelsMax)
    }
}

extension Point {
    /// The nearest point on whole pixels, so that neighbours meet without a seam.
    fileprivate var rounded: Point { Point(x: x.rounded(), y: y.rounded()) }
}

extension MapPoint {
    /// Creates a point from its shares of the square map, from the north-west corner.
    init(east: Double, south: Double) {
        self.init(x: (2 * east - 1) * Self.extent, y: (1 - 2 * south) * Self.extent)
    }
}

extension Viewport {
    /// The width of the whole world at this scale, in pixels.
    var worldPixels: Double { 2 * MapPoint.extent / metresPerPixel }

    /// The visible part of the square map.
    var tileArea: TileArea {
        let topLeft = mapPoint(at: Point(x: 0, y: 0))
        let bottomRight = mapPoint(at: Point(x: size.width, y: size.height))
        func share(_ metres: Double) -> Double { metres / (2 * MapPoint.extent) }
        return TileArea(
            west: 0.5 + share(topLeft.x), north: 0.5 - share(topLeft.y),
            east: 0.5 + share(bottomRight.x), south: 0.5 - share(bottomRight.y))
    }
}

extension TileBounds {
    /// The corners on the map.
    var corners: [MapPoint] {
        [(south, west), (north, east)]
            .compactMap { Coordinate(latitude: $0, longitude: $1) }.map { MapPoint($0) }
    }
}

import GtkKit
import PanelKit

/// The theme's colours as the map uses them.
@MainActor
struct MapPalette {
    let ground, line, text, mate, strong, mateText, plate, warning: Colour

    /// Whether the ground is darker than the texts.
    var isDark: Bool { ground.lightness < text.lightness }

    init(of widget: Widget) {
        ground = widget.colour(.base)
        text = widget.colour(.text)
        line = widget.colour(.text).opacity(0.09)
        mate = widget.colour(.selected)
        strong = widget.colour(.selected).mixed(0.3, of: widget.colour(.text))
        mateText = widget.colour(.selectedText)
        plate = widget.colour(.background).opacity(0.88)
        warning = widget.colour(.warning)
    }
}

/// One painting of the map.
@MainActor
struct MapPainting {
    /// The radius of a marker in pixels.
    static let markerRadius = 13.0
    /// The opacity of a person whose location may no longer be true.
    static let staleFade = 0.45
    /// The smallest distance between grid lines, in pixels.
    static let gridPixelsMin = 36.0
    /// The longest scale bar, in pixels.
    static let scalePixelsMax = 130.0

    let painter: Painter
    let viewport: Viewport
    let layer: MapLayer
    let selection: MapMarker?
    let chosen: Coordinate?
    let hasFocus: Bool
    let palette: MapPalette
    let underlay: MapUnderlay
    /// The parts that widgets above the map cover.
    let cover: MapCover

    /// The share of the ground's colour over the tiles in a dark theme, so that they do not
    /// outshine the markers.
    static let tileDimming = 0.5

    /// The user's scale of texts, which markers follow.
    private var scale: Double { TextScale.now }
    private var markerRadius: Double { Self.markerRadius * scale }

    /// Paints everything, from the ground up.
    func paint() {
        painter.fill(Point(x: 0, y: 0), viewport.size, palette.ground)
        paintGrid()
        paintUnderlay()
        let scaleFrame = paintScale()
        var placer = LabelPlacer(area: viewport.size)
        placer.block(scaleFrame)
        placer.block(cover.buttonsFrame(on: viewport.size))
        for circle in layer.circles { paintCircle(circle) }
        for track in layer.tracks { paintTrack(track) }
        paintWays()
        let markers = visibleMarkers
        for marker in markers { placer.block(frame(of: marker.marker.symbol, at: marker.pixel)) }
        let discs = (fresh: disc(fade: 1), stale: disc(fade: Self.staleFade))
        for marker in markers { paint(marker.marker, at: marker.pixel, discs) }
        for marker in markers { paintLabel(of: marker.marker, at: marker.pixel, &placer) }
        if let chosen { paintChosen(chosen) }
        if hasFocus { paintFocus() }
    }

    private func paintGrid() {
        let grid = MapGrid(for: viewport, pixelsMin: Self.gridPixelsMin)
        for x in grid.columns {
            let column = x.rounded() + 0.5
            painter.line(
                from: Point(x: column, y: 0), to: Point(x: column, y: viewport.size.height),
                palette.line)
        }
        for y in grid.rows {
            let row = y.rounded() + 0.5
            painter.line(
                from: Point(x: 0, y: row), to: Point(x: viewport.size.width, y: row), palette.line)
        }
    }

    private func paintUnderlay() {
        guard underlay.tileSet != nil else { return }
        underlay.paint(painter, viewport)
        if palette.isDark {
            painter.fill(
                Point(x: 0, y: 0), viewport.size, palette.ground.opacity(Self.tileDimming))
        }
    }

    private func paintScale() -> Frame {
        let bar = ScaleBar(for: viewport, pixelsMax: Self.scalePixelsMax)
        let text = painter.measure(bar.text, pixels: 12)
        let frame = Frame(
            origin: Point(x: 12, y: viewport.size.height - text.height - 30 - cover.footPixels),
            size: Size(width: max(bar.pixels, text.width) + 20, height: text.height + 18))
        painter.fill(frame.origin, frame.size, radius: 6, palette.plate)
        let left = frame.origin.x + 10
        let bottom = frame.origin.y + frame.size.height - 7
        painter.write(
            bar.text, at: Point(x: left, y: frame.origin.y + 4), pixels: 12, palette.text)
        painter.line(
            from: Point(x: left, y: bottom), to: Point(x: left + bar.pixels, y: bottom), width: 2,
            palette.text)
        for end in [left, left + bar.pixels] {
            painter.line(
                from: Point(x: end, y: bottom - 5), to: Point(x: end, y: bottom + 1), width: 2,
                palette.text)
        }
        return frame
    }

    /// The markers that are in view at least in part, with their pixels.
    private var visibleMarkers: [(marker: MapMarker, pixel: Point)] {
        let reach = 2 * markerRadius
        return layer.markers.map { ($0, viewport.pixel(of: MapPoint($0.coordinate))) }
            .filter { _, pixel in
                (-reach...viewport.size.width + reach).contains(pixel.x)
                    && (-reach...viewport.size.height + reach).contains(pixel.y)
            }
    }

    private func frame(of symbol: MapMarker.Symbol, at pixel: Point) -> Frame {
        let side = markerRadius * 2
        if symbol == .post {
            let (width, height) = (24 * scale, 24 * scale)
            return Frame(
                origin: Point(x: pixel.x - width / 2, y: pixel.y - height),
                size: Size(width: width, height: height))
        }
        if symbol == .flag {
            return Frame(
                origin: Point(x: pixel.x - 3, y: pixel.y - Self.flagPixels),
                size: Size(width: 20, height: Self.flagPixels + 3))
        }
        return Frame(
            origin: Point(x: pixel.x - side / 2, y: pixel.y - side / 2),
            size: Size(width: side, height: side))
    }

    /// Returns the disc of a person, which is painted once for all of them.
    private func disc(fade: Double) -> Stamp? {
        painter.stamp(side: 2 * markerRadius + 4) { painter, middle in
            painter.disc(middle, radius: markerRadius, palette.ground)
            painter.disc(middle, radius: markerRadius, palette.mate.opacity(fade))
            painter.ring(middle, radius: markerRadius, width: 1.5, palette.text.opacity(0.5))
        }
    }

    private func paint(
        _ marker: MapMarker, at place: Point, _ discs: (fresh: Stamp?, stale: Stamp?)
    ) {
        let radius = markerRadius
        if marker.id == selection?.id {
            painter.ring(place, radius: radius + 4, width: 3, palette.text)
        }
        switch marker.symbol {
        case .me:
            painter.disc(place, radius: radius, palette.strong.opacity(0.3))
            painter.disc(place, radius: 6 * scale, palette.strong)
            painter.ring(place, radius: 7 * scale, width: 2, palette.ground)
        case .person:
            if let disc = marker.isStale ? discs.stale : discs.fresh {
                painter.paint(disc, at: place)
            }
            if let photo = marker.photo {
                painter.draw(
                    photo, asDiscAt: place, radius: radius - 2,
                    opacity: marker.isStale ? Self.staleFade : 1)
                return
            }
            let colour = marker.isStale ? palette.text : palette.mateText
            if marker.letter.isEmpty { return paintPerson(at: place, colour) }
            painter.write(
                marker.letter, at: place, .centre, pixels: 14, bold: true, colour)
        case .flag: paintFlag(at: place)
        case .position:
            painter.disc(place, radius: 9 * scale, palette.text)
            painter.disc(place, radius: 7.5 * scale, palette.ground)
            painter.disc(place, radius: 6 * scale, palette.warning)
        case .post: paintPost(at: place)
        }
    }

    /// Paints the head and the shoulders of a person who has no name.
    private func paintPerson(at place: Point, _ colour: Colour) {
        painter.disc(Point(x: place.x, y: place.y - 4 * scale), radius: 4 * scale, colour)
        painter.fill(
            Point(x: place.x - 7 * scale, y: place.y + 1.5 * scale),
            Size(width: 14 * scale, height: 6 * scale), radius: 3 * scale, colour)
    }

    /// Paints a speech balloon with two lines, whose tip is at `place`.
    private func paintPost(at place: Point) {
        let (width, height, tip) = (22 * scale, 16 * scale, 6 * scale)
        let corner = Point(x: place.x - width / 2, y: place.y - tip - height)
        let rim = 1.5 * scale
        painter.fill(
            Point(x: corner.x - rim, y: corner.y - rim),
            Size(width: width + 2 * rim, height: height + 2 * rim), radius: 5 * scale,
            palette.ground)
        painter.polygon(
            [
                Point(x: place.x - 4 * scale, y: place.y - tip),
                Point(x: place.x + 4 * scale, y: place.y - tip), place,
            ], palette.strong)
        painter.fill(corner, Size(width: width, height: height), radius: 4 * scale, palette.strong)
        for (row, share) in [(5.0, 0.64), (10.0, 0.4)] {
            let start = Point(x: corner.x + 4 * scale, y: corner.y + row * scale)
            painter.line(
                from: start, to: Point(x: start.x + width * share, y: start.y), width: 2 * scale,
                palette.mateText)
        }
    }

    private func paintCircle(_ circle: MapCircle) {
        let pixels = viewport.pixels(of: circle)
        let centre = viewport.pixel(of: MapPoint(circle.centre))
        painter.disc(centre, radius: pixels, palette.warning.opacity(0.2))
        painter.ring(centre, radius: max(pixels, 3), width: 2, palette.text)
    }

    private func paintTrack(_ track: MapTrack) {
        var points: [Point] = []
        for location in track.locations {
            let pixel = viewport.pixel(of: MapPoint(location))
            let isNear = points.last.map { abs($0.x - pixel.x) + abs($0.y - pixel.y) < 1 } ?? false
            if !isNear { points.append(pixel) }
        }
        painter.line(through: points, width: 3, palette.strong)
    }

    /// Paints the visible parts of all ways at once.
    private func paintWays() {
        let lines = layer.ways.compactMap { way in
            VisibleLine(
                from: viewport.pixel(of: MapPoint(way.start)),
                to: viewport.pixel(of: MapPoint(way.end)), in: viewport.size)
        }
        painter.dashes(
            lines.map { (start: $0.start, end: $0.end) }, width: 2, palette.strong.opacity(0.8))
    }

    /// The height of a flag above its foot, in pixels.
    private static let flagPixels = 25.0

    /// Paints a flag whose foot is at `place`.
    private func paintFlag(at place: Point) {
        painter.line(
            from: Point(x: place.x, y: place.y), to: Point(x: place.x, y: place.y - 24), width: 2.5,
            palette.text)
        painter.polygon(
            [
                Point(x: place.x, y: place.y - Self.flagPixels),
                Point(x: place.x + 17, y: place.y - 19),
                Point(x: place.x, y: place.y - 13),
            ], palette.warning)
        painter.disc(place, radius: 3, palette.text)
    }

    private func paintLabel(
        of marker: MapMarker, at pixel: Point, _ placer: inout LabelPlacer
    ) {
        let title = painter.measure(marker.title, pixels: 13, bold: true)
        let detail =
            marker.detail.isEmpty
            ? Size(width: 0, height: 0) : painter.measure(marker.detail, pixels: 12)
        let size = Size(
            width: max(title.width, detail.width) + 12, height: title.height + detail.height + 4)
        guard
            let frame = placer.place(size, beside: pixel, radius: markerRadius)
        else { return }
        painter.fill(frame.origin, size, radius: 6, palette.plate)
        let middle = frame.origin.x + size.width / 2
        painter.write(
            marker.title, at: Point(x: middle, y: frame.origin.y + 2), .topCentre, pixels: 13,
            bold: true, palette.text)
        guard !marker.detail.isEmpty else { return }
        painter.write(
            marker.detail, at: Point(x: middle, y: frame.origin.y + 2 + title.height), .topCentre,
            pixels: 12, palette.text)
    }

    private func paintChosen(_ location: Coordinate) {
        let pixel = viewport.pixel(of: MapPoint(location))
        for (x, y) in [(1.0, 1.0), (1.0, -1.0)] {
            painter.line(
                from: Point(x: pixel.x - 8 * x, y: pixel.y - 8 * y),
                to: Point(x: pixel.x + 8 * x, y: pixel.y + 8 * y), width: 3, palette.text)
        }
        painter.ring(pixel, radius: 13, width: 2, palette.text)
    }

    /// Paints the edge that shows the keyboard focus, and the cross that Enter would choose.
    private func paintFocus() {
        painter.stroke(
            Point(x: 2, y: 2),
            Size(width: viewport.size.width - 4, height: viewport.size.height - 4), width: 2,
            palette.mate)
        guard selection == nil else { return }
        let middle = viewport.middle
        for (x, y) in [(9.0, 0.0), (0.0, 9.0)] {
            painter.line(
                from: Point(x: middle.x - x, y: middle.y - y),
                to: Point(x: middle.x + x, y: middle.y + y), palette.text)
        }
    }
}

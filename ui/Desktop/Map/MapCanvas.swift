import GtkKit

/// The map: a grid with a scale, the places of the people, and the point the user chose.
@MainActor
final class MapCanvas: Canvas {
    /// Where the map opens while nobody has a place: Seoul, the City Hall, a city wide.
    static let home = Coordinate(latitude: 37.5665, longitude: 126.9780)
    static let homeMetresPerPixel = 12.0
    /// How far an arrow key moves the map, in pixels.
    static let panPixels = 60.0
    /// A press that moves less than this many pixels is a click.
    static let clickPixels = 4.0
    /// How near to a marker's middle a click still means the marker, in pixels.
    static let hitPixels = 16.0

    /// Called when a point was chosen, or the choice taken back.
    var onChoose: @MainActor (Coordinate?) -> Void = { _ in }
    /// Called when a marker is opened.
    var onOpen: @MainActor (MapMarker) -> Void = { _ in }

    private(set) var viewport = Viewport(
        centre: home.map(MapPoint.init) ?? MapPoint(x: 0, y: 0),
        metresPerPixel: homeMetresPerPixel, size: Size(width: 0, height: 0))
    private(set) var markers: [MapMarker] = []
    private(set) var selection: MapMarker?
    private(set) var chosen: Coordinate?
    /// Whether the view still follows what is on the map, because the user has not moved it.
    private var isFollowing = true
    private var press: (start: Point, last: Point, isDrag: Bool)?

    init() {
        super.init()
        named("Map").role(.map)
        describeSelection()
    }

    /// Shows these markers. Until the user moves the map, it moves to see all of them.
    func show(_ markers: [MapMarker]) {
        guard markers != self.markers else { return }
        let isSameSet = markers.map(\.id) == self.markers.map(\.id)
        self.markers = markers
        selection = selection.flatMap { old in markers.first { $0.id == old.id } }
        if isFollowing && !isSameSet { viewport.fit(markers.map { MapPoint($0.coordinate) }) }
        describeSelection()
        redraw()
    }

    /// Moves the view so that everything on the map is seen.
    func fit() {
        isFollowing = true
        viewport.fit(markers.map { MapPoint($0.coordinate) })
        redraw()
    }

    /// Zooms around the middle: in where `steps` is positive, else out.
    func zoom(steps: Double) {
        isFollowing = false
        viewport.zoom(steps: steps, around: viewport.middle)
        redraw()
    }

    /// Chooses a point, or none; `moving` brings it into the middle.
    func choose(_ place: Coordinate?, moving: Bool = false) {
        chosen = place
        if moving, let place {
            isFollowing = false
            viewport.centre = MapPoint(place)
        }
        onChoose(place)
        redraw()
    }

    /// Selects the marker of this id, and brings it into view.
    func select(id: String) {
        guard let marker = markers.first(where: { $0.id == id }) else { return }
        select(marker)
        isFollowing = false
        viewport.centre = MapPoint(marker.coordinate)
    }

    override func key(_ key: Key) -> Bool {
        switch key {
        case .left: pan(x: Self.panPixels, y: 0)
        case .right: pan(x: -Self.panPixels, y: 0)
        case .up: pan(x: 0, y: Self.panPixels)
        case .down: pan(x: 0, y: -Self.panPixels)
        case .plus: zoom(steps: 1)
        case .minus: zoom(steps: -1)
        case .tab: return moveSelection(by: 1)
        case .backTab: return moveSelection(by: -1)
        case .enter: open()
        case .space: choose(selection?.coordinate ?? viewport.centre.coordinate)
        case .escape:
            guard chosen != nil || selection != nil else { return false }
            select(nil)
            choose(nil)
        case .character: return false
        }
        return true
    }

    override func pointer(_ event: PointerEvent) {
        switch event {
        case .pressed(let place): press = (place, place, false)
        case .moved(let place): drag(to: place)
        case .released(let place):
            if let press, !press.isDrag { click(at: place) }
            press = nil
        case .wheel(let steps, let place):
            isFollowing = false
            viewport.zoom(steps: steps, around: place)
            redraw()
        }
    }

    override func focusChanged(hasFocus: Bool) {
        if !hasFocus { select(nil) }
    }

    override func paint(_ painter: Painter) {
        if viewport.size != painter.size {
            viewport.size = painter.size
            if isFollowing { viewport.fit(markers.map { MapPoint($0.coordinate) }) }
        }
        MapPainting(
            painter: painter, viewport: viewport, markers: markers, selection: selection,
            chosen: chosen, hasFocus: hasFocus, isEnabled: isEnabled, palette: MapPalette(of: self)
        ).paint()
    }

    private func open() {
        if let selection {
            onOpen(selection)
        } else {
            choose(viewport.centre.coordinate)
        }
    }

    private func pan(x: Double, y: Double) {
        isFollowing = false
        viewport.pan(byX: x, y: y)
        redraw()
    }

    private func drag(to place: Point) {
        guard var press else { return }
        let moved = abs(place.x - press.start.x) + abs(place.y - press.start.y)
        press.isDrag = press.isDrag || moved >= Self.clickPixels
        if press.isDrag { pan(x: place.x - press.last.x, y: place.y - press.last.y) }
        press.last = place
        self.press = press
    }

    private func click(at place: Point) {
        if let marker = marker(at: place) {
            select(marker)
            onOpen(marker)
        } else {
            select(nil)
            choose(viewport.mapPoint(at: place).coordinate)
        }
    }

    private func marker(at place: Point) -> MapMarker? {
        markers.last { marker in
            let pixel = viewport.pixel(of: MapPoint(marker.coordinate))
            let (x, y) = (pixel.x - place.x, pixel.y - place.y)
            return (x * x + y * y).squareRoot() <= Self.hitPixels
        }
    }

    /// Goes on to the next marker; says no at either end, so that the focus moves on.
    private func moveSelection(by step: Int) -> Bool {
        let index = selection.flatMap { selected in
            markers.firstIndex { $0.id == selected.id }
        }
        let next = index.map { $0 + step } ?? (step > 0 ? 0 : -1)
        guard markers.indices.contains(next) else {
            select(nil)
            return false
        }
        select(markers[next])
        return true
    }

    private func select(_ marker: MapMarker?) {
        selection = marker
        describeSelection()
        redraw()
    }

    private func describeSelection() {
        if let selection {
            described("Selected: \(selection.title), \(selection.detail). Enter opens it.")
        } else {
            described(
                "\(markers.count) places. Tab goes through them, arrows move the map, "
                    + "plus and minus zoom, Enter chooses the point in the middle.")
        }
    }
}

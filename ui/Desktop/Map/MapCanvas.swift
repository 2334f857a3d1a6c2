import GtkKit
import PanelKit

/// The map: a grid with a scale, the layers of the panels, and the location that the user chose.
@MainActor
final class MapCanvas: Canvas {
    /// The middle of the map while it has no markers: Seoul City Hall, zoomed to the size of a
    /// city.
    static let home = Coordinate(latitude: 37.5665, longitude: 126.9780)
    static let homeMetresPerPixel = 12.0
    /// The pixels by which an arrow key moves the map.
    static let panPixels = 60.0
    /// A press that moves less than this many pixels is a click.
    static let clickPixels = 4.0

    /// Called when a location was chosen, or the choice was cleared.
    var onChoose: @MainActor (Coordinate?) -> Void = { _ in }
    /// Called when an item is to be opened. If it returns false, its location is chosen instead.
    var onOpen: @MainActor (MapItem) -> Bool = { _ in false }

    /// Called when a panel asks to show something on the map.
    var onShow: @MainActor () -> Void = {}

    /// Called when the menu of a value on the map is to open, at this point of the canvas.
    var onMenu: @MainActor (Offer, Point) -> Void = { _, _ in }

    private(set) var viewport = Viewport(
        centre: home.map(MapPoint.init) ?? MapPoint(x: 0, y: 0),
        metresPerPixel: homeMetresPerPixel, size: Size(width: 0, height: 0))
    private(set) var layer = MapLayer()
    private(set) var selection: MapMarker?
    private(set) var chosen: Coordinate?
    /// Whether the view still follows the markers, because the user has not moved it.
    private var isFollowing = true
    private var press: (start: Point, last: Point, isDrag: Bool)?

    init() {
        super.init()
        named("Map").role(.map)
        describeSelection()
    }

    private var markers: [MapMarker] { layer.markers }

    /// Shows a layer. Until the user moves the map, it moves to show all of the markers.
    func show(_ layer: MapLayer) {
        guard layer != self.layer else { return }
        let isSameSet = layer.markers.map(\.id) == markers.map(\.id)
        self.layer = layer
        selection = selection.flatMap { old in markers.first { $0.id == old.id } }
        if isFollowing && !isSameSet { fitViewport() }
        describeSelection()
        redraw()
    }

    /// Moves the view so that all markers are visible.
    func fit() {
        isFollowing = true
        fitViewport()
        redraw()
    }

    private func fitViewport() {
        viewport.fit(markers.map { MapPoint($0.coordinate) })
    }

    /// Zooms around the middle: in if `steps` is positive, else out.
    func zoom(steps: Double) {
        isFollowing = false
        viewport.zoom(steps: steps, around: viewport.middle)
        redraw()
    }

    override func key(_ key: KeyboardKey) -> Bool {
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
        case .menu(let place):
            press = nil
            switch hit.item(at: place) {
            case .marker(let marker): openMenu(of: marker, at: place)
            case .track(let track):
                select(nil)
                onMenu(.track(track), place)
            case .circle, nil: openMenu(of: viewport.mapPoint(at: place).coordinate, at: place)
            }
        case .wheel(let steps, let place):
            isFollowing = false
            viewport.zoom(steps: steps, around: place)
            redraw()
        }
    }

    /// Opens the menu of the selected marker, else of the chosen location, else of the middle.
    override func openMenu() -> Bool {
        if let selection {
            openMenu(of: selection, at: viewport.pixel(of: MapPoint(selection.coordinate)))
        } else if let chosen, isVisible(chosen) {
            openMenu(of: chosen, at: viewport.pixel(of: MapPoint(chosen)))
        } else {
            openMenu(of: viewport.centre.coordinate, at: viewport.middle)
        }
        return true
    }

    override func focusChanged(hasFocus: Bool) {
        if !hasFocus { select(nil) }
    }

    override func paint(_ painter: Painter) {
        if viewport.size != painter.size {
            viewport.size = painter.size
            if isFollowing { fitViewport() }
        }
        MapPainting(
            painter: painter, viewport: viewport, layer: layer, selection: selection,
            chosen: chosen, hasFocus: hasFocus, isEnabled: isEnabled, palette: MapPalette(of: self)
        ).paint()
    }

    private func open() {
        if let selection {
            open(.marker(selection), at: selection.coordinate)
        } else {
            choose(viewport.centre.coordinate)
        }
    }

    /// Opens an item; one that no panel opens has its location chosen.
    private func open(_ item: MapItem, at location: Coordinate) {
        if !onOpen(item) { choose(location) }
    }

    private var hit: MapHit { MapHit(viewport: viewport, layer: layer) }

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
        let location = viewport.mapPoint(at: place).coordinate
        guard let item = hit.item(at: place) else {
            select(nil)
            return choose(location)
        }
        if case .marker(let marker) = item {
            select(marker)
            open(item, at: marker.coordinate)
        } else {
            select(nil)
            open(item, at: location)
        }
    }

    private func openMenu(of marker: MapMarker, at place: Point) {
        select(marker)
        onMenu(marker.offer ?? .location(marker.coordinate, name: nil), place)
    }

    /// Opens the menu of a location, which becomes the chosen one.
    private func openMenu(of location: Coordinate, at place: Point) {
        select(nil)
        choose(location)
        onMenu(.location(location, name: nil), place)
    }

    private func isVisible(_ location: Coordinate) -> Bool {
        let pixel = viewport.pixel(of: MapPoint(location))
        return (0...viewport.size.width).contains(pixel.x)
            && (0...viewport.size.height).contains(pixel.y)
    }

    /// Selects the next marker. Returns false at either end, so that the focus moves on.
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
            described(
                "Selected: \(selection.title), \(selection.detail). Enter opens it, "
                    + "Shift+F10 its menu.")
        } else {
            described(
                "\(markers.count) locations. Tab goes through them, arrows move the map, "
                    + "plus and minus zoom, Enter chooses the point in the middle, "
                    + "Shift+F10 opens its menu.")
        }
    }
}

extension MapCanvas: PanelMap {
    /// The location in the middle of the map.
    var middle: Coordinate { viewport.centre.coordinate }

    /// Chooses a location, or none; `moving` brings it into the middle.
    func choose(_ location: Coordinate?, moving: Bool) {
        chosen = location
        if moving, let location {
            isFollowing = false
            viewport.centre = MapPoint(location)
            onShow()
        }
        onChoose(location)
        redraw()
    }

    /// Selects the marker with this id, and brings it into view.
    func select(id: String) {
        guard let marker = markers.first(where: { $0.id == id }) else { return }
        select(marker)
        isFollowing = false
        viewport.centre = MapPoint(marker.coordinate)
        onShow()
    }
}

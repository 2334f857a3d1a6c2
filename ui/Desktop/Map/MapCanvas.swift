import GtkKit
import PanelKit
import TileKit

/// The map: a grid with a scale, the layers of the panels, and the location that the user chose.
@MainActor
final class MapCanvas: Canvas {
    /// The pixels by which an arrow key moves the map.
    static let panPixels = 60.0
    /// A press that moves less than this many pixels is a click.
    static let clickPixels = 4.0

    /// Called when a location was chosen, or the choice was cleared.
    var onChoose: @MainActor (Coordinate?) -> Void = { _ in }
    /// Called when another part of the map is visible, at most once for each frame.
    var onMove: @MainActor () -> Void = {}
    /// Called when an item is to be opened. If it returns false, its location is chosen instead.
    var onOpen: @MainActor (MapItem) -> Bool = { _ in false }

    /// Called when a panel asks to show something on the map.
    var onShow: @MainActor () -> Void = {}

    /// Called when the menu of a value on the map is to open, at this point of the canvas.
    var onMenu: @MainActor (Offer, Point) -> Void = { _, _ in }

    /// Called with the attribution of the file beneath the map, which may be empty.
    var onUnderlay: @MainActor (_ attribution: String) -> Void = { _ in }

    /// The parts that widgets above the map cover: the scale bar and labels are painted elsewhere.
    var cover = MapCover() {
        didSet { if cover != oldValue { redraw() } }
    }

    /// Called with what the map tells the user now; nil for nothing.
    var onHint: @MainActor (MapHint?) -> Void = { _ in }

    /// The whole world, until a location is known.
    private(set) var viewport = Viewport(
        centre: MapPoint(x: 0, y: 0), metresPerPixel: Viewport.scales.upperBound,
        size: Size(width: 0, height: 0))
    /// The view as it was painted last; nil before.
    private var painted: Viewport?
    private(set) var layer = MapLayer()
    private(set) var selection: MapMarker?
    private(set) var chosen: Coordinate?
    private enum Following { case everyone, me, nothing }

    /// The markers that the view follows, until the user moves it.
    private var following = Following.everyone
    /// Whether the last click brought a region nearer instead of choosing a location.
    private var hasApproached = false
    private var press: (start: Point, last: Point, isDrag: Bool)?
    private let underlay = MapUnderlay()
    /// The path of the file beneath the map, also while it is opened.
    private var underlayPath: String?
    /// The description that a screen reader was told last.
    private var said = ""
    /// The marker to select if the next layer has it.
    private var awaited: String?

    init() {
        super.init()
        underlay.onLoad = { [weak self] in self?.redraw() }
        named(localized("Map")).role(.map)
        describe()
    }

    /// Shows a layer. Until the user moves the map, it moves to show all of the markers.
    func show(_ layer: MapLayer) {
        guard layer != self.layer else { return }
        let before = self.layer.followed.map(\.id)
        self.layer = layer
        let isSameSet = layer.followed.map(\.id) == before
        selection = selection.flatMap { old in layer.selectable.first { $0.id == old.id } }
        switch following {
        case .everyone: if !isSameSet { fitViewport() }
        case .me: centreOnMe()
        case .nothing: break
        }
        if let wanted = awaited {
            select(id: wanted)
            awaited = nil
        }
        describe()
        redraw()
    }

    /// Moves the view so that all markers are visible.
    func fit() {
        following = .everyone
        hasApproached = false
        fitViewport()
        describe()
        redraw()
    }

    /// Clears the chosen location, the selection and the hint to click again.
    /// - Returns: false if there was none of them.
    func clear() -> Bool {
        guard chosen != nil || selection != nil || hasApproached else { return false }
        select(nil)
        choose(nil)
        return true
    }

    /// Hides the hint to click again, because the user does something else.
    func endApproach() {
        guard hasApproached else { return }
        hasApproached = false
        describe()
    }

    /// Whether the user's own location is known.
    var knowsMe: Bool { me != nil }

    /// Brings the user's own location into the middle, and follows it until the user moves the map.
    func goToMe() {
        guard me != nil else { return }
        following = .me
        hasApproached = false
        centreOnMe()
        describe()
        redraw()
    }

    private var me: MapMarker? { layer.selectable.first { $0.symbol == .me } }

    private func centreOnMe() {
        guard let me else { return }
        viewport.show(MapPoint(me.coordinate))
    }

    /// Shows all markers; if there are none, the area of the file beneath the map.
    private func fitViewport() {
        if layer.followed.isEmpty, let bounds = underlay.tileSet?.bounds {
            viewport.fit(bounds.corners, marginPixels: 0)
        } else {
            viewport.fit(layer.followed.map { MapPoint($0.coordinate) })
        }
    }

    /// Zooms around the middle: in if `steps` is positive, else out. The view still follows the
    /// user's own location.
    func zoom(steps: Double) {
        if following == .everyone { following = .nothing }
        viewport.zoom(steps: steps, around: viewport.middle)
        redraw()
    }

    override func key(_ key: KeyboardKey) -> Bool {
        switch key {
        case .left: pan(x: Self.panPixels, y: 0)
        case .right: pan(x: -Self.panPixels, y: 0)
        case .up: pan(x: 0, y: Self.panPixels)
        case .down: pan(x: 0, y: -Self.panPixels)
        case .home: goToMe()
        case .plus: zoom(steps: 1)
        case .minus: zoom(steps: -1)
        case .tab: return moveSelection(by: 1)
        case .backTab: return moveSelection(by: -1)
        case .enter: open()
        case .space:
            if let selection { choose(selection.coordinate) } else { choose(at: viewport.middle) }
        case .escape: return clear()
        case .character, .menu, .end: return false
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
            case .circle, nil: openMenu(at: place)
            }
        case .wheel(let steps, let place):
            following = .nothing
            viewport.zoom(steps: steps, around: place)
            redraw()
        }
    }

    /// Opens the menu of the selected marker, else of the chosen location, else of the middle.
    override func openMenu() -> Bool {
        if let selection {
            openMenu(of: selection, at: viewport.pixel(of: MapPoint(selection.coordinate)))
        } else if let chosen, viewport.shows(chosen) {
            openMenu(at: viewport.pixel(of: MapPoint(chosen)))
        } else {
            openMenu(at: viewport.middle)
        }
        return true
    }

    override func focusChanged(hasFocus: Bool) {
        if !hasFocus { select(nil) }
    }

    override func paint(_ painter: Painter) {
        if viewport.size != painter.size {
            // A chosen location stays where it was clicked while a line for it opens below.
            viewport.resize(to: painter.size)
            if chosen == nil && following == .everyone { fitViewport() }
            if chosen == nil && following == .me { centreOnMe() }
        }
        MapPainting(
            painter: painter, viewport: viewport, layer: layer, selection: selection,
            chosen: chosen, hasFocus: hasFocus, palette: MapPalette(of: self), underlay: underlay,
            cover: cover
        ).paint()
        tellMove()
    }

    /// Tells that another part of the map is visible. GTK is painting now, so what the action
    /// changes needs the next frame.
    private func tellMove() {
        guard painted != viewport else { return }
        painted = viewport
        MainLoop.whenIdle { [weak self] in self?.onMove() }
    }

    private func open() {
        if let selection {
            open(.marker(selection), at: selection.coordinate)
        } else {
            choose(at: viewport.middle)
        }
    }

    /// Opens an item; one that no panel opens has its location chosen.
    private func open(_ item: MapItem, at location: Coordinate) {
        if !onOpen(item) { choose(location) }
    }

    private var hit: MapHit { MapHit(viewport: viewport, layer: layer) }

    private func pan(x: Double, y: Double) {
        following = .nothing
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
        guard let item = hit.item(at: place) else {
            select(nil)
            choose(at: place)
            return
        }
        if case .marker(let marker) = item {
            select(marker)
            open(item, at: marker.coordinate)
        } else {
            select(nil)
            open(item, at: viewport.mapPoint(at: place).coordinate)
        }
    }

    private func openMenu(of marker: MapMarker, at place: Point) {
        select(marker)
        onMenu(marker.offer ?? .location(marker.coordinate, name: nil), place)
    }

    /// Opens the menu of the location at a pixel, which becomes the chosen one.
    private func openMenu(at place: Point) {
        select(nil)
        if let location = choose(at: place) { onMenu(.location(location, name: nil), place) }
    }

    /// Chooses the location at a pixel, and returns it. From so far away that the pixel is a
    /// region, this brings the region nearer instead, and the user clicks again.
    @discardableResult
    private func choose(at place: Point) -> Coordinate? {
        guard viewport.isChoosing else {
            following = .nothing
            hasApproached = true
            viewport.approach(place)
            describe()
            redraw()
            return nil
        }
        let location = viewport.mapPoint(at: place).coordinate
        choose(location)
        return location
    }

    /// Selects the next marker. Returns false at either end, so that the focus moves on.
    private func moveSelection(by step: Int) -> Bool {
        let index = selection.flatMap { selected in
            layer.selectable.firstIndex { $0.id == selected.id }
        }
        let next = index.map { $0 + step } ?? (step > 0 ? 0 : -1)
        guard layer.selectable.indices.contains(next) else {
            select(nil)
            return false
        }
        select(layer.selectable[next])
        return true
    }

    private func select(_ marker: MapMarker?) {
        selection = marker
        awaited = nil
        describe()
        redraw()
    }

    /// Tells the user in words what is selected, and what the map waits for. A text that stays is
    /// not said again: a marker may move many times a second.
    private func describe() {
        let isEmpty = layer.selectable.isEmpty && chosen == nil
        let hint: MapHint? = hasApproached ? .clickAgain : isEmpty ? .whereAreYou : nil
        onHint(hint)
        let words = MapHint.words(
            selection: selection, hint: hint, locationsCount: layer.selectable.count)
        guard words != said else { return }
        said = words
        described(words)
    }
}

extension MapCanvas: PanelMap {
    /// The visible part as it was painted last.
    var visibleArea: MapArea? { painted?.area }

    /// Chooses a location, or none; `moving` brings it into the middle.
    func choose(_ location: Coordinate?, moving: Bool) {
        chosen = location
        hasApproached = false
        if moving, let location {
            following = .nothing
            viewport.show(MapPoint(location))
            onShow()
        }
        describe()
        onChoose(location)
        redraw()
    }

    /// Brings the map into view and moves the keyboard focus there.
    func show() {
        onShow()
        grabFocus()
    }

    /// Moves the view so that these locations are visible.
    func fit(_ locations: [Coordinate]) {
        following = .nothing
        viewport.fit(locations.map { MapPoint($0) })
        onShow()
        redraw()
    }

    /// Draws the tiles of a file; of several calls, the last one counts.
    func underlay(_ path: String?) async throws -> String? {
        underlayPath = path
        var file: MBTilesFile?
        defer { if underlayPath == path { use(file) } }
        if let path { file = try await MBTilesFile.open(path) }
        return file?.tileSet.name
    }

    private func use(_ file: MBTilesFile?) {
        underlay.use(file)
        onUnderlay(file?.tileSet.attribution ?? "")
        if following == .everyone { fitViewport() }
        redraw()
    }

    /// Selects the marker with this id, and brings it into view: now, or with the next layer, since
    /// a map that was hidden has an old one.
    func select(id: String) {
        guard let marker = layer.selectable.first(where: { $0.id == id }) else {
            awaited = id
            return
        }
        select(marker)
        following = .nothing
        viewport.show(MapPoint(marker.coordinate))
        onShow()
    }
}

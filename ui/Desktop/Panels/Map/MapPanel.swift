import Contract
import ControlAPI
import FeaturesAPI
import GtkKit
import NodeAPI
import PanelKit

/// The user on the map, the line under it that makes the chosen location the user's own, a track
/// that is played as the user's location, and the file of map tiles.
///
/// The line is shown once a location is chosen. Before the user's own location is known it is
/// always there, and the menu of the map shows it for typing.
@MainActor
final class MapPanel: Panel {
    static let id = "map"
    static let title = localized("Map")
    static let icon = "mark-location-symbolic"
    static let layout = PanelLayout.underMap
    static let accepts: [Offer.Kind: String] = [.location: localized("I am here")]
    static let fileTypes: Set<String> = [
        DroppedTrack.gpxEnding, DroppedTrack.geoJSONEnding, MapFile.ending,
    ]

    /// The query of the panel.
    enum Query: CaseIterable { case mapFile }

    /// Returns the query with the events that make it stale.
    static func queries(
        ask: @escaping @MainActor (Query) async throws -> Void
    ) -> StaleQueries<Query> {
        StaleQueries(
            .after(ConfigEvents.changed, .mapFile) { $0.name?.string == MapFileSetting.name },
            ask: ask)
    }

    /// The bar has two lines if it is narrower, in pixels of unscaled texts.
    private static let barWidthMin = 300.0

    private let context: PanelContext
    private let bar: LocationBar
    private let barView: Adaptive
    private let player: TrackPlayer
    private let file: MapFile
    private var asked: StaleQueries<Query>?
    /// Whether the user wants to type a location.
    private var isTyping = false

    init(context: PanelContext) {
        self.context = context
        let bar = LocationBar(context)
        self.bar = bar
        barView = Adaptive(bar) {
            bar.axis = $0 < Self.barWidthMin * TextScale.now ? .down : .across
        }
        player = TrackPlayer(context: context)
        file = MapFile(context: context)
        asked = Self.queries { [weak self] _ in try await self?.ask() }
        asked?.onFault = context.report
        bar.onChoose = { [weak self] in self?.context.map.choose($0, moving: true) }
        bar.onLeave = { [weak self] in self?.context.map.choose(nil) }
        bar.onSetLocation = { [weak self] in self?.setLocation($0) }
        showLine()
    }

    var page: Widget? { barView }
    /// The track that plays, a map file that cannot be shown, and the location that mates see.
    var bars: [PanelBar] {
        let shared = SharedLocation(
            location: context.people.location, hasMates: context.people.hasMates)
        return player.bars + file.bars
            + [shared.bar { [context] in context.perform(LocationCommands.clear) }]
            .compactMap { $0 }
    }
    var queries: (any PanelQueries)? { asked }
    var mapActions: [PanelAction] {
        let forgetting =
            context.people.myLocation == nil
            ? []
            : [
                PanelAction(localized("Forget my location")) { [weak self] in
                    self?.forgetLocation()
                }
            ]
        let typing = PanelAction(localized("Type a location…")) { [weak self] in
            self?.type()
        }
        return [typing] + forgetting + file.actions
    }

    var mapLayer: MapLayer {
        guard let coordinate = context.people.myLocation else { return player.mapLayer }
        let age = context.people.location?.atMs.map {
            localized(AgeText.ago(since: $0, now: context.clock.nodeTime))
        }
        var layer = player.mapLayer
        layer.markers = [
            MapMarker(
                id: "me", symbol: .me, coordinate: coordinate, title: localized("Me"),
                detail: age ?? "")
        ]
        return layer
    }

    func update() {
        bar.update()
        showLine()
    }

    func chose(_ location: Coordinate?) {
        isTyping = false
        bar.show(location)
        showLine()
    }

    /// Leaves the line that the user has opened for typing, or types in.
    func back() -> Bool {
        guard isTyping || bar.hasText && barView.containsFocus else { return false }
        context.map.choose(nil)
        return true
    }

    /// Shows the line with an empty text.
    private func type() {
        context.map.choose(nil)
        isTyping = true
        context.map.show()
        showLine()
        bar.focusEntry()
    }

    /// Shows the line if it is wanted. A line that is hidden passes the keyboard focus to the map.
    private func showLine() {
        let isLost = context.people.location.map { $0.coordinate == nil } ?? false
        let isWanted = isLost || isTyping || bar.hasText || context.map.chosen != nil
        guard isWanted != barView.isVisible else { return }
        if !isWanted && barView.containsFocus { context.map.show() }
        barView.isVisible = isWanted
    }

    func accept(_ offer: Offer) {
        if case .location(let location, _) = offer { setLocation(location) }
    }

    func open(file path: String) {
        if path.lowercased().hasSuffix(".\(MapFile.ending)") {
            Task { [file] in await file.drop(path) }
        } else {
            Task { [player] in await player.show(path) }
        }
    }

    private func ask() async throws {
        let name = try SettingName(MapFileSetting.name)
        let setting = try await context.node.call(ConfigCommands.get, SettingReference(name: name))
        await file.show(setting: setting.value.string)
    }

    /// Removes the user's location here and on the devices of mates. A receiver or a track would
    /// set it again, so the location is set by hand from now on.
    private func forgetLocation() {
        let source = context.people.location?.source
        Task { [context] in
            do {
                if source != .hand {
                    _ = try await context.node.call(
                        LocationCommands.source, ChooseLocationSource(source: .hand))
                }
                _ = try await context.node.call(LocationCommands.clear)
            } catch {
                context.report(error)
            }
        }
    }

    private func setLocation(_ location: Coordinate) {
        context.perform(
            LocationCommands.set,
            SetLocation(
                latitude: location.north, longitude: location.east))
        context.map.choose(nil)
    }
}

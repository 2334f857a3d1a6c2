import Contract
import FeaturesAPI
import GtkKit
import PanelKit

/// The user on the map, the line under it that makes the chosen location the user's own, and a
/// track that is played as the user's location.
@MainActor
final class MapPanel: Panel {
    static let id = "map"
    static let title = localized("Map")
    static let icon = "mark-location-symbolic"
    static let layout = PanelLayout.underMap
    static let accepts: [Offer.Kind: String] = [.location: localized("I am here")]
    static let fileTypes: Set<String> = ["gpx"]

    /// The bar has two lines if it is narrower, in pixels of unscaled texts.
    private static let barWidthMin = 300.0

    private let context: PanelContext
    private let bar: LocationBar
    private let barView: Adaptive
    private let player: TrackPlayer

    init(context: PanelContext) {
        self.context = context
        let bar = LocationBar(context)
        self.bar = bar
        barView = Adaptive(bar) {
            bar.axis = $0 < Self.barWidthMin * TextScale.now ? .down : .across
        }
        player = TrackPlayer(context: context)
        bar.onChoose = { [weak self] in self?.context.map.choose($0, moving: true) }
        bar.onSetLocation = { [weak self] in self?.setLocation($0) }
    }

    var page: Widget? { barView }
    var bars: [PanelBar] { player.bars }

    var mapLayer: MapLayer {
        guard let coordinate = context.people.myLocation else { return MapLayer() }
        let age = context.people.location?.atMs.map {
            localized(AgeText.ago(since: $0, now: context.clock.nodeTime))
        }
        return MapLayer(markers: [
            MapMarker(
                id: "me", symbol: .me, coordinate: coordinate, title: localized("Me"),
                detail: age ?? "")
        ])
    }

    func update() { bar.update() }

    func chose(_ location: Coordinate?) { bar.show(location) }

    func accept(_ offer: Offer) {
        if case .location(let location, _) = offer { setLocation(location) }
    }

    func open(file path: String) { player.ask(about: path) }

    private func setLocation(_ location: Coordinate) {
        context.perform(
            LocationCommands.set,
            SetLocation(
                latitude: location.north, longitude: location.east))
        context.map.choose(nil)
    }
}

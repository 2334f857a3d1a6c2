import Contract
import FeaturesAPI
import GtkKit
import PanelKit

/// The user on the map, and the line under it that makes the chosen location the user's own.
@MainActor
final class MapPanel: Panel {
    static let id = "map"
    static let title = "Map"
    static let icon = "mark-location-symbolic"
    static let layout = PanelLayout.underMap

    private let context: PanelContext
    private let bar = LocationBar()

    init(context: PanelContext) {
        self.context = context
        bar.onChoose = { [weak self] in self?.context.map.choose($0, moving: true) }
        bar.onSetLocation = { [weak self] in self?.setLocation($0) }
    }

    var page: Widget? { bar }

    var mapLayer: MapLayer {
        guard let coordinate = context.people.myLocation else { return MapLayer() }
        let age = context.people.location?.atMs.map {
            AgeText.ago(since: $0, now: context.clock.nodeTime)
        }
        return MapLayer(markers: [
            MapMarker(
                id: "me", symbol: .me, coordinate: coordinate, title: "Me", detail: age ?? "")
        ])
    }

    func chose(_ location: Coordinate?) { bar.show(location) }

    private func setLocation(_ location: Coordinate) {
        context.perform(
            LocationCommands.set,
            SetLocation(
                latitude: Latitude(checked: location.latitude),
                longitude: Longitude(checked: location.longitude)))
        context.map.choose(nil)
    }
}

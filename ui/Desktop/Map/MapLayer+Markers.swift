import PanelKit

extension MapLayer {
    /// The markers that can be selected. The position of a replay moves many times a second, and is
    /// only drawn.
    var selectable: [MapMarker] { markers.filter { $0.symbol != .position } }

    /// The markers that the view follows. Posts are listed for the visible part of the map, so it
    /// must not move to show them.
    var followed: [MapMarker] { selectable.filter { $0.symbol != .post } }
}

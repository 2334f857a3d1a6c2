import PanelKit

/// The part of the main view that the page in front takes.
enum PageExtent: Equatable {
    /// The whole width, without the map.
    case whole
    /// A column beside the map.
    case besideMap
    /// Nothing: the map has the whole width.
    case hidden

    /// The extent of a page in a window of this shape.
    /// - Parameter layout: the layout of the panel in front; nil if the map is in front.
    init(of layout: PanelLayout?, in shape: WindowShape) {
        guard let layout else {
            self = .hidden
            return
        }
        self = shape == .narrow || layout == .wide ? .whole : .besideMap
    }
}

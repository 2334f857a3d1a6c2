import GtkKit
import PanelKit

/// The map with its buttons.
@MainActor
final class MapPane: Box {
    let canvas = MapCanvas()
    private let hint = Label(
        localized(
            "Where are you? Click your place on the map, or type it below, then press “I am here”.")
    ).styled("map-hint").centred().width(characters: 28).aligned(.centre, .centre)
    private lazy var menu = PopupMenu(over: canvas)

    init() {
        super.init(.down)
        canvas.minimum(width: 180, height: 200).expanding(across: true, down: true)
        let overlay = Overlay(over: canvas).expanding(across: true, down: true)
        overlay.float(makeButtons())
        overlay.float(hint, letsPointerThrough: true)
        append(overlay)
        canvas.onEmpty = { [weak self] in self?.hint.isVisible = $0 }
    }

    /// Opens a menu over the map, at a point of the canvas.
    func openMenu(_ actions: [PanelAction], at place: Point) { menu.open(actions, at: place) }

    private func makeButtons() -> Box {
        let canvas = canvas
        let buttons = Box(
            .down,
            [
                Button(icon: "zoom-in-symbolic", name: localized("Zoom in")) { [weak canvas] in
                    canvas?.zoom(steps: 1)
                },
                Button(icon: "zoom-out-symbolic", name: localized("Zoom out")) { [weak canvas] in
                    canvas?.zoom(steps: -1)
                },
                Button(icon: "zoom-fit-best-symbolic", name: localized("Show everyone")) {
                    [weak canvas] in
                    canvas?.fit()
                },
                Button(icon: "find-location-symbolic", name: localized("My location")) {
                    [weak canvas] in
                    canvas?.goToMe()
                },
            ])
        return buttons.styled("linked").aligned(.end, .start).margin(12)
    }
}

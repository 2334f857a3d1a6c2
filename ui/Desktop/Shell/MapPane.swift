import GtkKit
import PanelKit

/// The map with its buttons.
@MainActor
final class MapPane: Box {
    let canvas = MapCanvas()
    private lazy var menu = PopupMenu(over: canvas)

    init() {
        super.init(.down)
        canvas.minimum(width: 180, height: 200).expanding(across: true, down: true)
        let overlay = Overlay(over: canvas).expanding(across: true, down: true)
        overlay.float(makeButtons())
        append(overlay)
    }

    /// Opens a menu over the map, at a point of the canvas.
    func openMenu(_ actions: [PanelAction], at place: Point) { menu.open(actions, at: place) }

    private func makeButtons() -> Box {
        let canvas = canvas
        let buttons = Box(
            .down,
            [
                Button(icon: "zoom-in-symbolic", name: "Zoom in") { [weak canvas] in
                    canvas?.zoom(steps: 1)
                },
                Button(icon: "zoom-out-symbolic", name: "Zoom out") { [weak canvas] in
                    canvas?.zoom(steps: -1)
                },
                Button(icon: "zoom-fit-best-symbolic", name: "Show everyone") { [weak canvas] in
                    canvas?.fit()
                },
            ])
        return buttons.styled("linked").aligned(.end, .start).margin(12)
    }
}

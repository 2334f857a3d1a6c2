import GtkKit
import PanelKit

/// The map with its buttons, a hint, and the attribution of the file beneath it.
@MainActor
final class MapPane: Box {
    let canvas = MapCanvas()
    private let hint = Label().styled("map-hint").centred().width(characters: 28)
    private let attribution = Label().styled("map-attribution").width(characters: 48)
        .aligned(.end, .end).hidden()
    private lazy var menu = PopupMenu(over: canvas)
    private lazy var more = MenuButton { [weak self] in self?.mapActions() ?? [] }
        .titled(localized("More for the map"))
    /// The entries of the map's menu.
    private var mapActions: @MainActor () -> [PanelAction] = { [] }

    init() {
        super.init(.down)
        canvas.minimum(width: 180, height: 200).expanding(across: true, down: true)
        let overlay = Overlay(over: canvas).expanding(across: true, down: true)
        overlay.float(makeButtons())
        overlay.float(hint, letsPointerThrough: true)
        overlay.float(attribution, letsPointerThrough: true)
        append(overlay)
        canvas.onUnderlay = { [weak self] in self?.attribute($0) }
        attribution.onResize { [weak self] _ in self?.makeRoom() }
        canvas.onHint = { [weak self] in self?.show($0) }
        show(.whereAreYou)
    }

    /// Shows a hint: in the middle of an empty map, else at the top, where it hides no region.
    private func show(_ hint: MapHint?) {
        self.hint.isVisible = hint != nil
        guard let hint else { return }
        self.hint.text = hint.text
        let isAtTop = hint == .clickAgain
        self.hint.aligned(.centre, isAtTop ? .start : .centre)
            .margin(across: Self.buttonsPixels, down: isAtTop ? 12 : 0)
    }

    /// The space around the buttons, in pixels.
    private static let buttonsMargin = 12.0

    /// The width of the buttons at the side with the space around them.
    private static let buttonsPixels: Int32 = 58

    /// Enables the menu of the map if it has entries now.
    func update() { more.update() }

    /// Lets the panels of a board follow the map, and open what is on it.
    func serve(_ board: PanelBoard) {
        canvas.onOpen = { [weak board] in board?.open($0) ?? false }
        canvas.onChoose = { [weak board] in board?.chose($0) }
        canvas.onMove = { [weak board] in board?.mapMoved() }
        canvas.onMenu = { [weak self, weak board] offer, place in
            guard let board else { return }
            self?.menu.open(board.actions(for: offer) + board.mapActions, at: place)
        }
        mapActions = { [weak board] in board?.mapActions ?? [] }
    }

    /// Shows to whom the map is owed.
    private func attribute(_ text: String) {
        attribution.text = text
        attribution.isVisible = !text.isEmpty
        makeRoom()
    }

    /// Keeps the scale bar above the attribution.
    private func makeRoom() {
        canvas.cover.footPixels = attribution.isVisible ? attribution.size.height : 0
    }

    /// The buttons that move the map, and apart from them its menu.
    private func makeButtons() -> Box {
        let canvas = canvas
        let moving = Box(
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
        let buttons = Box(.down, spacing: 6, [moving.styled("linked"), more])
        buttons.onResize { [weak canvas] size in
            canvas?.cover.buttons = Size(
                width: size.width + 2 * Self.buttonsMargin,
                height: size.height + 2 * Self.buttonsMargin)
        }
        return buttons.aligned(.end, .start).margin(Int32(Self.buttonsMargin))
    }
}

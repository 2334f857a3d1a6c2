import GtkKit
import PanelKit

/// The window's content with at most one sheet above it, on a scrim that darkens what lies under
/// it. The scrim leaves the map free for a sheet that uses it.
@MainActor
final class SheetLayer: Box {
    private let overlay: Overlay
    private let scrim = Box(.down).styled("scrim")
    /// The scrim as large as the layer. Without this, GTK reserves the height that the sheet has
    /// at its narrowest, and the sheet's buttons leave a low window.
    private let view: Scroller
    private var isShown = false

    /// Creates a layer over `content`.
    init(over content: Widget) {
        overlay = Overlay(over: content).expanding(across: true, down: true)
        view = Scroller(scrim).askingForNoSize().takingNoFocus()
        super.init(.down, [overlay])
        expanding(across: true, down: true)
    }

    /// Shows a sheet in place of the one before; nil shows none.
    /// - Parameter width: the width of the scrim in pixels; nil covers everything.
    func show(_ sheet: (any PanelSheet)?, width: Double?) {
        if isShown { overlay.remove(view) }
        isShown = false
        scrim.replaceChildren(with: [])
        guard let sheet = sheet?.view else { return }
        scrim.append(sheet.aligned(.centre, .centre).expanding(across: true, down: true))
        setWidth(width)
        overlay.float(view)
        isShown = true
    }

    /// Sets the width of the scrim in pixels; nil covers everything.
    func setWidth(_ width: Double?) {
        view.aligned(width == nil ? .fill : .start).minimum(
            width: width.map { Int32(clamping: Int($0)) } ?? -1)
    }
}

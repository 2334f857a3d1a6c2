import GtkKit
import PanelKit

/// The window's content with at most one sheet above it, on a scrim that darkens what lies under
/// it. The scrim leaves the map free for a sheet that uses it.
@MainActor
final class SheetLayer: Box {
    private let overlay: Overlay
    private var scrim: Box?

    /// Creates a layer over `content`.
    init(over content: Widget) {
        overlay = Overlay(over: content).expanding(across: true, down: true)
        super.init(.down, [overlay])
        expanding(across: true, down: true)
    }

    /// Shows a sheet in place of the one before; nil shows none.
    /// - Parameter width: the width of the scrim in pixels; nil covers everything.
    func show(_ sheet: (any PanelSheet)?, width: Double?) {
        if let scrim {
            overlay.remove(scrim)
            scrim.replaceChildren(with: [])
        }
        scrim = sheet?.view.map { view in
            view.aligned(.centre, .centre).expanding(across: true, down: true)
            return Box(.down, [view]).styled("scrim")
        }
        setWidth(width)
        if let scrim { overlay.float(scrim) }
    }

    /// Sets the width of the scrim in pixels; nil covers everything.
    func setWidth(_ width: Double?) {
        scrim?.aligned(width == nil ? .fill : .start).minimum(
            width: width.map { Int32(clamping: Int($0)) } ?? -1)
    }
}

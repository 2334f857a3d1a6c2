import GtkKit
import PanelKit

/// The window's content with at most one sheet above it. While a sheet is shown, the content cannot
/// be used.
@MainActor
final class SheetLayer: Box {
    private let content: Widget
    private let overlay: Overlay
    private var holder: Widget?

    /// The greatest height of a sheet in pixels; a sheet scrolls if the window is lower.
    private static let heightMax: Int32 = 4000

    /// Creates a layer over `content`.
    init(over content: Widget) {
        self.content = content
        overlay = Overlay(over: content).expanding(across: true, down: true)
        super.init(.down, [overlay])
        expanding(across: true, down: true)
    }

    /// Shows a sheet in place of the one before; nil shows none.
    func show(_ sheet: (any PanelSheet)?) {
        if let holder { overlay.remove(holder) }
        holder = sheet?.view.map {
            Scroller($0).aligned(.centre, .centre).growing(upTo: Self.heightMax)
        }
        content.isEnabled = sheet == nil
        if let holder { overlay.float(holder) }
    }
}

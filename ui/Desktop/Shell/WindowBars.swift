import GtkKit
import PanelKit

/// All bars at the top of the window: that the node is lost, a fault, and those of the panels. If
/// there are many, they scroll.
@MainActor
final class WindowBars {
    /// The view of the bars, which has no height without a bar.
    let view: Widget

    private let panels = BarColumn()
    private let lost = Bar(icon: "network-offline-symbolic").hidden()
    private let fault = Bar(icon: "dialog-warning-symbolic").hidden()
    private let scroller: Scroller

    /// The height above which the bars scroll: about three bars.
    private static let pixelsMax: Int32 = 190
    /// The same for large text: about two bars.
    private static let largePixelsMax: Int32 = 230

    /// Whether the user was deleted, and the panels have no answers about another one yet. Then the
    /// only bar is that the node cannot be started again.
    var isSilent = false {
        didSet {
            panels.isVisible = !isSilent
            if isSilent {
                lost.isVisible = false
                fault.isVisible = false
            }
            update()
        }
    }

    /// Creates a view without a bar.
    /// - Parameter retry: called when the user wants the lost node to be started again.
    init(retry: @escaping @MainActor () -> Void) {
        let scroller = Scroller(Box(.down, [lost, fault, panels])).styled("bars").hidden()
        scroller.growing(upTo: TextScale.isLarge ? Self.largePixelsMax : Self.pixelsMax)
        self.scroller = scroller
        // Without this, GTK reserves the height that the bars have in the narrowest window.
        view = Adaptive(scroller) { [weak scroller] in
            scroller?.minimum(width: Int32(clamping: Int($0)))
        }
        lost.setButtons([Button(localized("Try again now"), retry)])
        fault.setButtons([
            Button(localized("Close")) { [weak self] in self?.show(fault: nil) }
        ])
    }

    /// Shows the bars of these panels.
    func show(_ panels: [any Panel]) {
        self.panels.show(panels)
        update()
    }

    /// Shows that something did not work; nil removes that.
    func show(fault sentence: String?) {
        guard sentence == nil || !isSilent else { return }
        if let sentence { fault.say(localized("That did not work"), detail: sentence) }
        fault.isVisible = sentence != nil
        update()
    }

    /// Shows a node that is lost, and why it cannot be started again if it cannot.
    func show(_ stage: NodeFeed.Stage) {
        switch stage {
        case .lost(let reason?):
            lost.say(localized("Waggle stopped and cannot be started again"), detail: reason)
            lost.isVisible = true
        case .lost(nil):
            lost.say(localized("Waggle stopped. Restarting…"), detail: "")
            // A deleted user's node ends, and its next start is no news.
            lost.isVisible = !isSilent
        default: lost.isVisible = false
        }
        update()
    }

    /// An empty scrolled view has a height, so it is hidden.
    private func update() {
        let hasPanels = panels.isVisible && !panels.children.isEmpty
        scroller.isVisible = lost.isVisible || fault.isVisible || hasPanels
    }
}

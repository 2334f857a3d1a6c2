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
    /// The height of the window's content in pixels; nil before it is laid out.
    private var windowHeight: Double?

    /// The height above which the bars scroll before the window is laid out.
    private static let firstPixelsMax: Int32 = 190
    /// The greatest part of the window's height that the bars take.
    static let partMax = 0.5

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
        let column = Box(.down, [lost, fault, panels])
        let scroller = Scroller(column).growing(upTo: Self.firstPixelsMax).styled("bars")
            .hidden()
        self.scroller = scroller
        // Without this, GTK reserves the height that the bars have in the narrowest window.
        view = Adaptive(scroller) { [weak scroller, panels] in
            scroller?.minimum(width: Int32(clamping: Int($0)))
            panels.divide(width: $0)
        }
        column.onResize { [weak self] _ in self?.limit() }
        lost.setButtons([Button(localized("Try again now"), retry)])
        fault.setButtons([
            Button(localized("Close")) { [weak self] in self?.show(fault: nil) }
        ])
    }

    /// Divides a window whose content is this high, in pixels.
    func divide(height: Double) {
        windowHeight = height
        limit()
    }

    /// Shows as many whole bars as have room.
    private func limit() {
        guard let windowHeight else { return }
        let bars: [Widget] = [lost, fault] + panels.children
        let heights = bars.filter { $0.isVisible }.map { $0.size.height }
        let height = Self.height(of: heights, inWindow: windowHeight)
        if height > 0 { scroller.growing(upTo: Int32(clamping: Int(height.rounded(.up)))) }
    }

    /// Returns the height of the first bars that together take at most ``partMax`` of a window's
    /// height; that of the first bar if it alone takes more.
    ///
    /// For example, of five bars of 70 pixels, a window of 600 shows four.
    static func height(of bars: [Double], inWindow height: Double) -> Double {
        var sum = bars.first ?? 0
        for bar in bars.dropFirst() {
            guard sum + bar <= height * partMax else { break }
            sum += bar
        }
        return sum
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

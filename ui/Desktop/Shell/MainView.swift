import GtkKit
import PanelKit

/// The window's main page: the map, and beside it the pages of the panels.
@MainActor
final class MainView: Box {
    /// Called with the id of the page that has come to the front.
    var onTurn: @MainActor (String) -> Void = { _ in }

    private let pages = Stack()
    private let mapSide: Box
    private let side: Box
    private let divider = Separator(.down)
    private let tabs: [any Panel]

    /// The smallest width of the pages beside the map, in pixels.
    private static let sideWidthMin: Int32 = 300

    /// Creates a page around `map` with the pages of these panels.
    init(map: Widget, panels: [any Panel]) {
        tabs = panels.filter { $0.page != nil && type(of: $0).layout.hasTab }
        func pages(_ layout: PanelLayout) -> [Widget] {
            panels.filter { type(of: $0).layout == layout }.compactMap(\.page)
        }
        mapSide = Box(.down, [map.expanding(across: true, down: true)] + pages(.underMap))
        let switcher = StackSwitcher(of: self.pages).margin(across: 12, down: 6)
        side = Box(
            .down,
            pages(.above)
                + [switcher.aligned(.centre, .centre), self.pages.expanding(down: true)]
                + pages(.below))
        super.init(.across)
        for panel in tabs {
            guard let page = panel.page else { continue }
            let type = type(of: panel)
            self.pages.add(page, named: type.id, title: type.title)
        }
        append(mapSide.expanding(across: true, down: true))
        append(divider)
        append(side.minimum(width: Self.sideWidthMin))
        self.pages.onChange { [weak self] in self?.turn() }
        turn()
    }

    /// The ids of the panels with a tab, in order.
    var tabIDs: [String] { tabs.map { type(of: $0).id } }

    /// Brings the page of a panel to the front.
    func show(page id: String) {
        if tabIDs.contains(id) { pages.show(id) }
    }

    /// Shows the badges of the panels.
    func showBadges() {
        for panel in tabs {
            pages.setTitle(panel.tabTitle, of: type(of: panel).id)
        }
    }

    /// Gives the page in front its space: beside the map, or the whole width.
    private func turn() {
        let front = tabs.first { type(of: $0).id == pages.shown }
        let isWide = front.map { type(of: $0).layout == .wide } ?? false
        mapSide.isVisible = !isWide
        divider.isVisible = !isWide
        // Beside the map it must not expand, or its expanding content would take space from the
        // map.
        side.expanding(across: isWide)
        if let id = front.map({ type(of: $0).id }) { onTurn(id) }
    }
}

extension PanelLayout {
    /// Whether the page has its own tab.
    var hasTab: Bool { self == .beside || self == .wide }
}

extension Panel {
    /// The title of the tab, with the badge.
    var tabTitle: String {
        let title = type(of: self).title
        return badge == 0 ? title : "\(title) (\(badge))"
    }
}

import GtkKit
import PanelKit

/// The window's main view, which owns the pages of all panels. It shows the list of pages, the page
/// in front, and the map for the rest; or one page in place of everything else. Its ``WindowShape``
/// follows from its width.
@MainActor
final class MainView: Box {
    /// Called with the id of the page that has come to the front.
    var onTurn: @MainActor (String) -> Void = { _ in }
    /// The pages that belong into the header bar.
    let headerPages: [Widget]

    /// Everything beside each other, and each page that is shown in place of it.
    private let stack = Stack()
    private let pages = Stack()
    private let mapSide: Box
    private let divider = Separator(.down)
    private let listDivider = Separator(.down)
    private let lists: [WindowShape: PageSwitcher]
    private let feet: [WindowShape: Box]
    private var frontButtons: [Button] = []
    private let tabs: [any Panel]
    private let fronts: [any Panel]
    private var shape = WindowShape.wide
    private var front: String
    private var shown: String?
    /// Whether a page is shown in place of everything else.
    private(set) var isCovered = false

    /// The id of the map in the list of a narrow window. It is not that of a panel.
    private static let mapSideID = "map-side"
    /// The name in ``stack`` of everything beside each other. It is not that of a panel.
    private static let dividedID = "window/divided"

    /// Creates a view of `map` with the pages of these panels.
    init(map: Widget, panels: [any Panel]) {
        tabs = panels.filter { $0.page != nil && type(of: $0).layout.hasEntry }
        fronts = panels.filter { $0.page != nil && type(of: $0).layout == .front }
        front = tabs.first.map { type(of: $0).id } ?? Self.mapSideID
        let under = panels.filter { type(of: $0).layout == .underMap }.compactMap(\.page)
        headerPages = panels.filter { type(of: $0).layout == .header }.compactMap(\.page)
        mapSide = Box(.down, [map.expanding(across: true, down: true)] + under)
        let entries = tabs.map { panel in
            let type = type(of: panel)
            return PageSwitcher.Entry(id: type.id, title: type.title, icon: type.icon)
        }
        let mapEntry = PageSwitcher.Entry(
            id: Self.mapSideID, title: "Map", icon: "mark-location-symbolic")
        lists = [
            .wide: PageSwitcher(.down, entries, isCompact: false),
            .compact: PageSwitcher(.down, entries, isCompact: true),
            .narrow: PageSwitcher(.across, entries + [mapEntry], isCompact: true),
        ]
        feet = [.wide: Box(.down), .compact: Box(.down), .narrow: Box(.across)]
        super.init(.down)
        for panel in tabs {
            if let page = panel.page { pages.add(page, named: type(of: panel).id) }
        }
        assemble()
        turn()
    }

    /// The ids of the panels with an entry, in order.
    var tabIDs: [String] { tabs.map { type(of: $0).id } }

    /// Brings the page of a panel to the front.
    func show(page id: String) {
        if fronts.contains(where: { type(of: $0).id == id }) {
            isCovered = true
            stack.show(id)
            onTurn(id)
        } else {
            if tabIDs.contains(id) { front = id }
            turn()
            uncover()
        }
    }

    /// Leaves the page that is shown in place of everything else.
    func uncover() {
        guard isCovered else { return }
        isCovered = false
        stack.show(Self.dividedID)
        focusList()
    }

    /// Moves the keyboard focus to the list of pages, if it is shown.
    func focusList() {
        if !isCovered { lists[shape]?.focus(front) }
    }

    /// Shows the map if it is hidden beside the page.
    func showMap() {
        guard shape == .narrow || !mapSide.isVisible else { return }
        front = Self.mapSideID
        turn()
    }

    /// Shows the badges of the panels.
    func showBadges() {
        for panel in tabs {
            let badge = Badge(count: panel.badge)
            for list in lists.values { list.setBadge(badge, of: type(of: panel).id) }
        }
    }

    private func assemble() {
        func column(_ shape: WindowShape) -> [Widget] {
            guard let list = lists[shape], let foot = feet[shape] else { return [] }
            return [list.expanding(across: shape == .narrow, down: shape != .narrow), foot]
        }
        for list in lists.values {
            list.onChoose = { [weak self] id in
                guard let self, id != front else { return }
                front = id
                turn()
            }
        }
        let side = Box(
            .across,
            [WindowShape.wide, .compact].map { Box(.down, column($0)).styled("sidebar") })
        let middle = Box(
            .across, [side.expanding(down: true), listDivider, pages, divider, mapSide])
        mapSide.expanding(across: true, down: true)
        let all = Box(
            .down,
            [
                middle.expanding(across: true, down: true),
                Box(.across, column(.narrow)).styled("bottom-list"),
            ])
        stack.add(Adaptive(all) { [weak self] in self?.divide($0) }, named: Self.dividedID)
        for panel in fronts {
            if let page = panel.page { stack.add(Scroller(page), named: type(of: panel).id) }
        }
        append(stack.expanding(across: true, down: true))
        for (shape, foot) in feet { addFronts(to: foot, isCompact: shape != .wide) }
    }

    /// Adds the buttons of the panels that are shown in place of everything else.
    private func addFronts(to foot: Box, isCompact: Bool) {
        for panel in fronts {
            let type = type(of: panel)
            let show: @MainActor () -> Void = { [weak self] in self?.show(page: type.id) }
            let button =
                isCompact
                ? Button(icon: type.icon, name: type.title, show)
                : Button(icon: type.icon, text: type.title, show)
            button.styled("flat", "page-button").setStyle("compact", on: isCompact)
            foot.append(button)
            frontButtons.append(button)
        }
    }

    /// Enables what is shown in place of everything else.
    func enableFronts(_ isEnabled: Bool) {
        for button in frontButtons { button.isEnabled = isEnabled }
    }

    /// Divides this width, in pixels.
    private func divide(_ width: Double) {
        shape = WindowShape(width: width)
        pages.minimum(width: WindowShape.pageWidth(in: width))
        if shape != .narrow && front == Self.mapSideID { front = shown ?? tabIDs.first ?? front }
        turn()
        if isFocusLost { focusList() }
    }

    /// Shows what is in front in the present shape.
    private func turn() {
        for (shape, list) in lists {
            list.isVisible = shape == self.shape
            feet[shape]?.isVisible = shape == self.shape
            list.show(front)
        }
        let panel = tabs.first { type(of: $0).id == front }
        let extent = PageExtent(of: panel.map { type(of: $0).layout }, in: shape)
        listDivider.isVisible = shape != .narrow
        pages.isVisible = extent != .hidden
        mapSide.isVisible = extent != .whole
        divider.isVisible = extent == .besideMap
        // Beside the map it must not expand, or its expanding content would take space from the
        // map.
        pages.expanding(across: extent == .whole, down: true)
        guard let panel, front != shown else { return }
        shown = front
        pages.show(front)
        onTurn(type(of: panel).id)
    }
}

extension PanelLayout {
    /// Whether the page has an entry in the list of pages.
    var hasEntry: Bool { self == .beside || self == .wide }
}

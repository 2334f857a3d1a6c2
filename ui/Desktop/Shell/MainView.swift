import GtkKit
import PanelKit

/// The window's main view, which owns the pages of all panels. It shows the list of pages, the page
/// in front, and the map for the rest; or one page in place of everything else. Its ``WindowShape``
/// follows from its width.
@MainActor
final class MainView: Box {
    /// Called with the id of the page that has come to the front, or of the map of a narrow window.
    var onTurn: @MainActor (String) -> Void = { _ in }
    /// Called after the width was divided again.
    var onDivide: @MainActor () -> Void = {}
    /// The pages that belong in the header bar.
    let headerPages: [Widget]

    /// Everything beside each other, and each page that is shown in place of it.
    private let stack = Stack()
    private let pages = Stack()
    private let mapSide: Box
    private let divider = Separator(.down)
    private let listDivider = Separator(.down)
    private let lists: [WindowShape: PageSwitcher]
    private let feet: [WindowShape: Box]
    private let side = Box(.across)
    private var sides: [WindowShape: Box] = [:]
    private let bottom = Box(.across).styled("bottom-list")
    private var frontPages: [Widget] = []
    private var frontButtons: [Button] = []
    private let tabs: [any Panel]
    private let fronts: [any Panel]
    /// The ids of the panels under the map.
    private let underMap: Set<String>
    private var shape = WindowShape.wide
    private var front: String
    /// The page in front, or under the map of a narrow window.
    private(set) var shown: String?
    /// The page or map that ``onTurn`` was last called with.
    private var turned: String?
    /// The page that is shown in place of everything else; nil if there is none.
    private(set) var cover: String?

    /// The ids of wide pages that show the map beside them for now.
    private var pagesWithMap: Set<String> = []
    /// Whether a page is shown in place of everything else.
    var isCovered: Bool { cover != nil }

    /// The id of the map in the list of a narrow window. It is not that of a panel.
    private static let mapSideID = "map-side"
    /// The name in ``stack`` of everything beside each other. It is not that of a panel.
    private static let dividedID = "window/divided"

    /// Creates a view of `map` with the pages of these panels.
    init(map: Widget, panels: [any Panel]) {
        tabs = panels.filter { $0.page != nil && type(of: $0).layout.hasEntry }
        fronts = panels.filter { $0.page != nil && type(of: $0).layout == .front }
        front = tabs.first.map { type(of: $0).id } ?? Self.mapSideID
        let underMap = panels.filter { type(of: $0).layout == .underMap }
        self.underMap = Set(underMap.map { type(of: $0).id })
        let under = underMap.compactMap(\.page)
        headerPages = panels.filter { type(of: $0).layout == .header }.compactMap(\.page)
        mapSide = Box(.down, [map.expanding(across: true, down: true)] + under)
        let entries = tabs.map { panel in
            let type = type(of: panel)
            return PageSwitcher.Entry(id: type.id, title: type.title, icon: type.icon)
        }
        let mapEntry = PageSwitcher.Entry(
            id: Self.mapSideID, title: localized("Map"), icon: "mark-location-symbolic")
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
            cover = id
            stack.show(id)
            onTurn(id)
            tellDivision()
        } else {
            if tabIDs.contains(id) { front = id }
            turn()
            uncover()
        }
    }

    /// Leaves the page that is shown in place of everything else.
    func uncover() {
        guard isCovered else { return }
        cover = nil
        stack.show(Self.dividedID)
        focusList()
        tellDivision()
    }

    /// Leaves the page that is shown in place of everything else, or the map of a narrow window.
    /// - Returns: false if there was nothing to leave.
    func back() -> Bool {
        if isCovered {
            uncover()
        } else {
            return leaveMap()
        }
        return true
    }

    /// Whether a narrow window shows the map.
    var isMapInFront: Bool { !isCovered && front == Self.mapSideID }

    /// Shows the last page in place of the map of a narrow window.
    /// - Returns: false if the map is not in front.
    private func leaveMap() -> Bool {
        guard front == Self.mapSideID, let page = shown ?? tabIDs.first else { return false }
        front = page
        turn()
        return true
    }

    /// Whether the window shows one page at a time.
    var isNarrow: Bool { shape == .narrow }

    /// The panel in front.
    var frontID: String { cover ?? front }

    /// The ids of the panels whose pages are on the screen.
    var visibleIDs: Set<String> {
        if let cover { return [cover] }
        let entries = shape == .wide ? fronts.filter { $0.entry != nil } : []
        let ids = entries.map { type(of: $0).id } + [front]
        return mapSide.isVisible ? underMap.union(ids) : Set(ids)
    }

    /// The distance of the map from the start of the view, in pixels; nil if the map is not beside
    /// a page.
    var mapStart: Double? {
        shape != .narrow && mapSide.isVisible && !isCovered ? mapSide.start(in: self) : nil
    }

    /// Lets nothing be used while a sheet is shown, except the map if the sheet uses it. The scrim
    /// of the sheet takes the pointer.
    func setUnderSheet(_ isUnderSheet: Bool, keepsMap: Bool) {
        let parts = [side, pages, bottom] + frontPages
        let changed =
            parts.filter { $0.isUnderSheet != isUnderSheet }
            + [mapSide].filter { $0.isUnderSheet != (isUnderSheet && !keepsMap) }
        for part in parts { part.isUnderSheet = isUnderSheet }
        mapSide.isUnderSheet = isUnderSheet && !keepsMap
        guard !changed.isEmpty else { return }
        MainLoop.whenIdle { for part in changed { part.tellReadersOfCover() } }
    }

    /// Moves the keyboard focus to the list of pages, if it is shown.
    func focusList() {
        if !isCovered { lists[shape]?.focus(front) }
    }

    /// Shows the map if it is hidden: beside the page in front, or in place of it in a narrow
    /// window.
    func showMap() {
        guard shape == .narrow || !mapSide.isVisible else { return }
        if shape == .narrow { front = Self.mapSideID } else { pagesWithMap.insert(front) }
        turn()
    }

    /// Hides the map beside the page in front, if that page is wide, or in place of it.
    func hideMap() {
        if leaveMap() { return }
        pagesWithMap.remove(front)
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
            guard shape != .narrow else {
                return [list.expanding(across: true, down: false), foot]
            }
            // With large texts, not all pages may fit beside the bars.
            return [Scroller(list).keepingFocusInView().expanding(across: false, down: true), foot]
        }
        for list in lists.values {
            list.onChoose = { [weak self] id in
                guard let self, id != front else { return }
                front = id
                turn()
            }
        }
        for shape in [WindowShape.wide, .compact] {
            let box = Box(.down, column(shape)).styled("sidebar")
            sides[shape] = box
            side.append(box)
        }
        for widget in column(.narrow) { bottom.append(widget) }
        let middle = Box(
            .across, [side.expanding(down: true), listDivider, pages, divider, mapSide])
        mapSide.expanding(across: true, down: true)
        // The layout after a turn may take several steps.
        for part in [side, pages, mapSide] {
            part.onResize { [weak self] _ in self?.onDivide() }
        }
        let all = Box(
            .down,
            [
                middle.expanding(across: true, down: true),
                bottom,
            ])
        stack.add(Adaptive(all) { [weak self] in self?.divide($0) }, named: Self.dividedID)
        for panel in fronts {
            guard let page = panel.page else { continue }
            let scroller = Scroller(page)
            frontPages.append(scroller)
            stack.add(scroller, named: type(of: panel).id)
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
                if isCompact {
                    Button(around: PageButton.compactIcon(type.icon), name: type.title, show)
                        .tooltip(type.title)
                } else if let entry = panel.entry {
                    Button(around: entry, name: type.title, show)
                } else {
                    Button(icon: type.icon, text: type.title, show)
                }
            // Its icon expands within it, but must not take the room of the pages' buttons.
            button.expanding(across: false, down: false)
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
    }

    /// Calls ``onDivide`` after the layout that is asked for, in which the parts have new places.
    private func tellDivision() {
        MainLoop.whenIdle { [weak self] in self?.onDivide() }
    }

    /// Shows what is in front in the present shape.
    private func turn() {
        for (shape, list) in lists {
            list.isVisible = shape == self.shape
            sides[shape]?.isVisible = shape == self.shape
            feet[shape]?.isVisible = shape == self.shape
            list.show(front)
        }
        let panel = tabs.first { type(of: $0).id == front }
        let layout = panel.map { panel in
            pagesWithMap.contains(front) ? PanelLayout.beside : type(of: panel).layout
        }
        let extent = PageExtent(of: layout, in: shape)
        listDivider.isVisible = shape != .narrow
        pages.isVisible = extent != .hidden
        mapSide.isVisible = extent != .whole
        divider.isVisible = extent == .besideMap
        // Beside the map it must not expand, or its expanding content would take space from the
        // map.
        pages.expanding(across: extent == .whole, down: true)
        tellDivision()
        let hadFocus = front != turned && pages.containsFocus
        if panel != nil {
            shown = front
            pages.show(front)
        }
        // GTK would pass the focus on to the view that scrolls the next page, which has no name.
        if hadFocus || isFocusLost { focusList() }
        guard front != turned else { return }
        turned = front
        onTurn(front)
    }
}

extension PanelLayout {
    /// Whether the page has an entry in the list of pages.
    var hasEntry: Bool { self == .beside || self == .wide }
}

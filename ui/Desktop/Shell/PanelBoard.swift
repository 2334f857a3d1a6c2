import Contract
import ControlAPI
import FeaturesAPI
import GtkKit
import PanelKit

/// The widgets around the panels, as ``PanelBoard`` needs them.
@MainActor
protocol PanelBoardView: AnyObject {
    /// Shows this sheet in place of the one before; nil shows none.
    func show(sheet: (any PanelSheet)?)
    /// Brings a page to the front.
    func show(page id: String)
    /// Leaves the page that is in front of everything else.
    func leaveFront()
    /// Shows the map beside the page in front, or hides it there.
    func showMap(_ isShown: Bool)
    /// Shows a fault in a bar; nil removes the bar.
    func say(fault: String?)
    /// Shows that something can be undone; nil shows that nothing can.
    func show(undo sentence: String?)
    /// Shows badges, bars and map as the panels have them now.
    func showPanels()
    /// Shows nothing of the user any more, until the node has another one.
    func forgetUser()
    /// The ids of the panels whose pages are on the screen.
    var visibleIDs: Set<String> { get }
    /// The id of the panel whose page is in front, or under the map of a narrow window.
    var frontPage: String? { get }
    /// Shows the recovery words; nil if the user has confirmed them.
    var recoveryWords: PanelAction? { get }
    /// The memory of the tips that are shown no longer.
    var tips: (any TipStore)? { get }
    /// The offer to try everything with a practice mate, or to end it.
    var practice: PracticeOffer? { get }
}

/// All panels of the window. It alone owns their sheets and passes values from one panel to
/// another. It has no widgets, so tests run it without a display.
@MainActor
final class PanelBoard {
    private(set) var panels: [any Panel] = []
    /// The widgets around the panels.
    weak var view: (any PanelBoardView)?
    private var sheets = SheetStack()
    private let clock: PanelClock
    private let draggedFiles: DraggedFiles?
    /// The last action if it can be undone, and the end of that time.
    private var undoable: (offer: UndoOffer, end: Duration)?

    /// The number of the user's actions that have begun and not ended.
    private(set) var unfinishedCount = 0

    /// The time in which something can be undone.
    static let undoTime = Duration.seconds(8)

    /// Makes the panels of a catalogue.
    init(
        of catalogue: [any Panel.Type], node: any NodeConnection, clock: PanelClock,
        people: People, map: any PanelMap, photos: WindowPhotos = WindowPhotos(),
        draggedFiles: DraggedFiles? = nil
    ) {
        self.clock = clock
        self.draggedFiles = draggedFiles
        precondition(
            Set(catalogue.map { $0.id }).count == catalogue.count, "Two panels have the same id.")
        let personPhotos = PersonPhotos(node: node, people: people, photos: photos)
        panels = catalogue.map { type in
            type.init(
                context: PanelContext(
                    id: type.id, node: node, clock: clock, people: people, map: map,
                    photos: photos, personPhotos: personPhotos, shell: self))
        }
    }

    /// Returns the panel with this id; nil if it is not linked.
    func panel(_ id: String) -> (any Panel)? {
        panels.first { type(of: $0).id == id }
    }

    /// Hands an event to the panels that follow its topic.
    func receive(_ event: NodeEvent) {
        for panel in panels {
            guard let topics = panel.queries?.topics else { continue }
            if topics.union(NodeEvent.topicsOfEverything).contains(event.topic) {
                panel.receive(event)
            }
        }
    }

    /// Calls back as soon as no panel has a stale answer.
    func whenSettled(_ done: @escaping @MainActor () -> Void) {
        Task { [weak self] in
            for panel in self?.panels ?? [] { await panel.queries?.settle() }
            done()
        }
    }

    /// Lets the panels that are on the screen show times and ages as they are now. A page that is
    /// not shown costs nothing.
    func update() {
        if let undoable, clock.now >= undoable.end { settleUndo() }
        let visible = (view?.visibleIDs ?? []).union(sheets.owners)
        for panel in panels where visible.contains(type(of: panel).id) { panel.update() }
        view?.showPanels()
    }

    /// Lets a panel show everything as it is now, because its page comes to the front.
    func turned(to id: String) {
        guard let panel = panel(id) else { return }
        panel.update()
        panel.didShow()
    }

    /// The markers, circles and tracks that the panels show on the map.
    var mapLayer: MapLayer { MapLayer.merged(panels.map(\.mapLayer)) }

    /// The panel whose page is shown first, if a panel asks for it.
    var firstPage: String? {
        panels.first { $0.comesFirst }.map { type(of: $0).id }
    }

    /// The line under the window's title, if a panel has one.
    var subtitle: String? { panels.lazy.compactMap(\.subtitle).first }

    /// Tells all panels about the location that was chosen on the map.
    func chose(_ location: Coordinate?) {
        for panel in panels { panel.chose(location) }
    }

    /// Tells all panels that the visible part of the map has changed.
    func mapMoved() {
        for panel in panels { panel.mapMoved() }
    }

    /// Opens an item of the map: the panel that shows it is tried first, then the others.
    /// - Returns: false if no panel knows it.
    func open(_ item: MapItem) -> Bool {
        let owners = panels.filter { $0.mapLayer.contains(item) }
        let others = panels.filter { panel in !owners.contains { $0 === panel } }
        return (owners.reversed() + others).contains { $0.open(item) }
    }

    /// Opens what an inbox item is about; the inbox if no panel knows it. Sheets are removed as by
    /// the Escape key, and keep their drafts; one that decides what that key does stays.
    func open(_ subject: InboxSubject) {
        while let top = sheets.top, top.onEscape == nil { dismiss(top.sheet) }
        for wanted in [subject, .inbox] where panels.contains(where: { $0.open(wanted) }) { return }
    }

    /// Returns the entries of the map's menu for a value, from all panels that accept it.
    func actions(for offer: Offer) -> [PanelAction] { actions(for: offer, from: "map's menu") }

    /// The entries of the map's menu that concern no single point.
    var mapActions: [PanelAction] { panels.flatMap(\.mapActions) }

    /// Undoes what was done last, if it still can be.
    func undo() {
        guard let undone = undoable?.offer else { return }
        undoable = nil
        view?.show(undo: nil)
        undone.undo()
    }

    /// Makes lasting what was done last; it can no longer be undone.
    func settleUndo() {
        guard let settled = undoable?.offer else { return }
        undoable = nil
        view?.show(undo: nil)
        settled.settle()
    }

    /// Ends the work for the window, which is closed: makes lasting what could be undone, removes
    /// the files that were dragged out of it, and shows nothing more.
    func close() {
        settleUndo()
        draggedFiles?.remove()
        view = nil
    }

    /// Opens each file with the first panel that accepts its ending.
    /// - Returns: the paths of the files that no panel accepts.
    func open(files paths: [String]) -> [String] {
        paths.filter { path in
            let name = path.split(separator: "/").last.map(String.init) ?? path
            let ending = name.split(separator: ".").dropFirst().last?.lowercased() ?? ""
            guard let panel = panels.first(where: { type(of: $0).fileTypes.contains(ending) })
            else { return true }
            panel.open(file: path)
            return false
        }
    }

    /// Whether a sheet is shown, which has the keyboard for itself.
    var hasSheet: Bool { sheets.top != nil }

    /// Performs the shortcut of a key; for the Escape key removes the top sheet, or ends what a bar
    /// waits for. If two panels have the same shortcut, that of the page in front is performed.
    /// - Returns: whether the key was used.
    func press(_ press: KeyPress, front id: String? = nil) -> Bool {
        if press.key == .escape { return escape() }
        let front = panels.filter { type(of: $0).id == id }.flatMap(\.shortcuts)
        let known = front + panels.flatMap(\.shortcuts).filter { !$0.isOfPage }
        guard !hasSheet, let shortcut = known.first(where: { $0.press == press })
        else { return false }
        shortcut.perform()
        return true
    }

    private func escape() -> Bool {
        guard let top = sheets.top else {
            guard let leave = panels.lazy.flatMap(\.bars).compactMap(\.onEscape).first else {
                return panels.contains { type(of: $0).layout == .underMap && $0.back() }
            }
            leave()
            return true
        }
        if let onEscape = top.onEscape { onEscape() } else { dismiss(top.sheet) }
        return true
    }
}

extension PanelBoard: PanelShell {
    func perform(_ action: @escaping @MainActor () async -> Void) {
        unfinishedCount += 1
        Task {
            await action()
            unfinishedCount -= 1
        }
    }

    func present(_ sheet: PresentedSheet) {
        let removed = sheets.push(sheet)
        view?.show(sheet: sheet.sheet)
        for each in removed { each.onDismiss() }
    }

    func dismiss(_ sheet: any PanelSheet) {
        let removed = sheets.remove(sheet)
        guard !removed.isEmpty else { return }
        view?.show(sheet: sheets.top?.sheet)
        for each in removed { each.onDismiss() }
    }

    func show(page id: String) {
        if panel(id)?.page != nil { view?.show(page: id) }
    }

    func leaveFront() { view?.leaveFront() }

    func showMap(_ isShown: Bool) { view?.showMap(isShown) }

    func say(fault: String?) { view?.say(fault: fault) }

    func panelsChanged() { view?.showPanels() }

    func actions(for offer: Offer, from id: String) -> [PanelAction] {
        panels.compactMap { panel in
            let type = type(of: panel)
            guard type.id != id, let title = type.accepts[offer.kind], panel.canAccept(offer)
            else { return nil }
            return PanelAction(
                title, short: type.shortTitles[offer.kind], icon: type.icon
            ) { [weak panel] in panel?.accept(offer) }
        }
    }

    func answers(to item: InboxList.Item) -> [PanelAction] {
        panels.flatMap { $0.answers(to: item) }
    }

    func icon(of item: InboxList.Item) -> String? {
        panels.lazy.map { type(of: $0) }.first { $0.inboxKind == item.kind }?.icon
    }

    /// Drops what could be undone without settling it, because it is deleted too.
    func forgetUser() {
        undoable = nil
        view?.show(undo: nil)
        view?.forgetUser()
    }

    func offerUndo(_ offer: UndoOffer) {
        settleUndo()
        undoable = (offer, clock.now + Self.undoTime)
        view?.show(undo: offer.sentence)
    }

    var waysToMeet: [PanelAction] { panels.flatMap(\.waysToMeet) }

    var recoveryWords: PanelAction? { view?.recoveryWords }

    var practice: PracticeOffer? { view?.practice }

    var isWalking: Bool { panels.contains { $0.isWalking } }

    var frontPage: String? { view?.frontPage }

    var tips: (any TipStore)? { view?.tips }

    func newDraggedFile(named name: String) -> String? { draggedFiles?.newFile(named: name) }
}

import ControlAPI
import GtkKit
import PanelKit

/// The window around the panels: pages, sheets, bars and the map. It knows no panel by name.
@MainActor
final class MainWindow {
    private let feed: NodeFeed
    private let window: Window
    private let header = HeaderBar(title: "Waggle")
    private let stack = Stack()
    private let status = StatusPage(icon: "org.waggle.Waggle")
    private let words = RecoveryWordsView()
    private let map = MapPane()
    private let board: PanelBoard
    private let main: MainView
    private let sheets: SheetLayer
    private let bars = BarColumn()
    private let lostBar = Bar(icon: "network-offline-symbolic").hidden()
    private let faultBar = Bar(icon: "dialog-warning-symbolic").hidden()
    private var headerControls: [Widget] = []

    private var page = WindowPage.status
    private var ticker: Ticker?
    private var work: Task<Void, Never>?

    /// Creates a window of `application` that follows the node behind `feed`, with these panels.
    init(
        of application: Application, node: any NodeConnection, feed: NodeFeed,
        catalogue: [any Panel.Type]
    ) {
        self.feed = feed
        window = Window(of: application, header: header, width: 980, height: 687)
        board = PanelBoard(
            of: catalogue, node: node, clock: feed.time, people: feed.people, map: map.canvas)
        main = MainView(map: map, panels: board.panels)
        sheets = SheetLayer(over: stack)
        board.view = self
        assemble()
        connect()
    }

    /// Shows the window, or brings it to the front, and begins to follow the node.
    func present() {
        window.present()
        guard work == nil else { return }
        let feed = feed
        work = Task { await feed.run() }
        ticker = Ticker { [weak self] in self?.update() }
        show()
    }

    private func assemble() {
        window.setTitle("Waggle")
        stack.add(status, named: WindowPage.status.name)
        stack.add(Scroller(words), named: WindowPage.words.name)
        stack.add(main, named: WindowPage.main.name)
        for page in main.headerPages {
            header.addAtStart(page)
            headerControls.append(page)
        }
        if hasPreferences {
            let button = Button(icon: "preferences-system-symbolic", name: "Preferences") {
                [weak self] in self?.showPreferences()
            }
            header.addAtEnd(button)
            headerControls.append(button)
        }
        window.setContent(Box(.down, [lostBar, faultBar, bars, sheets]))
        lostBar.setButtons([
            Button("Try again now") { [weak self] in self?.feed.retry() }
        ])
        lostBar.say(
            "The node is gone", detail: "What you see may be old. Trying to reach it again…")
        faultBar.setButtons([Button("Close") { [weak self] in self?.faultBar.isVisible = false }])
    }

    private func connect() {
        feed.onChange = { [weak self] in self?.show() }
        feed.onEvent = { [weak self] in self?.board.receive($0) }
        feed.onFault = { [weak self] in self?.say(fault: String(describing: $0)) }
        words.onDone = { [weak self] in self?.showFirstPage() }
        main.onTurn = { [weak self] in self?.board.panel($0)?.didShow() }
        map.canvas.onShow = { [weak self] in self?.main.showMap() }
        map.canvas.onOpen = { [weak self] in self?.board.open($0) ?? false }
        map.canvas.onChoose = { [weak self] in self?.board.chose($0) }
        map.canvas.onMenu = { [weak self] offer, place in
            guard let self else { return }
            map.openMenu(board.actions(for: offer), at: place)
        }
        window.onKey { [weak self] in self?.press($0) ?? false }
        window.onFilesDropped { [weak self] in self?.open(files: $0) }
        window.onClose { [weak self] in
            self?.work?.cancel()
            self?.ticker = nil
        }
    }
}

// MARK: - Pages

extension MainWindow {
    private func show() {
        lostBar.isVisible = feed.stage == .lost
        switch feed.stage {
        case .connecting:
            show(.status)
            status.wait("Connecting", "Looking for your node…")
        case .starting:
            show(.status)
            status.wait("Starting your node", "It goes on running when this window is closed.")
        case .notRunning(let reason):
            show(.status)
            status.say("The node is not running", reason, action: "Try again") { [weak self] in
                self?.feed.retry()
            }
        case .live:
            showLive()
        case .lost:
            enableHeader()
        }
    }

    private func showLive() {
        if page == .status {
            if let secret = feed.removeRecoveryWords() {
                words.show(secret)
                show(.words)
            } else {
                showFirstPage()
            }
        }
        enableHeader()
        update()
    }

    private func showFirstPage() {
        main.uncover()
        if let id = board.firstPage { board.show(page: id) } else { show(.main) }
    }

    private func show(_ page: WindowPage) {
        let isNew = page != self.page
        self.page = page
        enableHeader()
        stack.show(page.name)
        if isNew && page == .main { main.focusList() }
    }

    private func enableHeader() {
        let isEnabled = feed.stage == .live && page != .words
        for control in headerControls { control.isEnabled = isEnabled }
        main.enableFronts(isEnabled)
    }

    /// Shows everything with the times and ages of this moment.
    private func update() {
        guard feed.stage == .live || feed.stage == .lost else { return }
        header.setSubtitle(board.subtitle ?? "")
        board.update()
    }
}

// MARK: - Around the panels

extension MainWindow: PanelBoardView {
    func show(sheet: (any PanelSheet)?) { sheets.show(sheet) }

    func show(page id: String) {
        show(.main)
        main.show(page: id)
    }

    func leaveFront() { main.uncover() }

    func say(fault: String?) {
        if let fault { faultBar.say("That did not work", detail: fault) }
        faultBar.isVisible = fault != nil
    }

    func showPanels() {
        main.showBadges()
        bars.show(board.panels)
        map.canvas.show(board.mapLayer)
    }
}

// MARK: - User input

extension MainWindow {
    private func open(files paths: [String]) {
        let refused = board.open(files: paths)
        if !refused.isEmpty {
            let names = refused.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
            say(fault: "Nothing here can open \(names.joined(separator: ", ")).")
        }
    }

    private func press(_ press: KeyPress) -> Bool {
        if board.press(press) { return true }
        guard page == .main, !main.isCovered, !board.hasSheet, press.isControl,
            case .character(let character) = press.key
        else { return false }
        switch character {
        case ",": showPreferences()
        case "?": present(ShortcutsSheet(of: board.panels))
        default:
            let digit = character.wholeNumberValue ?? 0
            guard main.tabIDs.indices.contains(digit - 1) else { return false }
            board.show(page: main.tabIDs[digit - 1])
        }
        return true
    }

    private var hasPreferences: Bool { board.panels.contains { $0.preferences != nil } }

    private func showPreferences() {
        if hasPreferences { present(PreferencesSheet(of: board.panels)) }
    }

    /// Shows a sheet of the window itself.
    private func present(_ sheet: WindowSheet) {
        sheet.onClose = { [weak self, weak sheet] in sheet.map { self?.board.dismiss($0) } }
        board.present(PresentedSheet(owner: "window", sheet: sheet))
        sheet.focusClose()
    }
}

import Contract
import ControlAPI
import FeaturesAPI
import GtkKit
import PanelKit

/// The window around the panels: pages, sheets, bars and the map. It knows no panel by name.
@MainActor
final class MainWindow {
    private let feed: NodeFeed
    private let window: Window
    private let header = HeaderBar(title: "Waggle")
    private let stack = Stack()
    private let status = NodeStatePage(icon: Home.application)
    private let words: RecoveryWordsView
    private let wordsFile: RecoveryWordsFile
    private let practiceMate: PracticeProcess
    let tips: (any TipStore)?
    /// Whether the recovery words were shown since the window was opened.
    private var hasShownWords = false
    private lazy var menu = MenuButton(icon: "open-menu-symbolic") { [weak self] in
        self?.menuActions ?? []
    }.titled(localized("Menu"))
    private let map = MapPane()
    /// The panels.
    let board: PanelBoard
    private let main: MainView
    private let sheets: SheetLayer
    private lazy var bars = WindowBars { [weak self] in self?.feed.retry() }
    private let undoBar = Bar(icon: "edit-undo-symbolic").styled("undo").hidden()
    private var headerControls: [Widget] = []

    private var page = WindowPage.status
    private var shownTitle = ""
    private var sheetOnTop: (any PanelSheet)?
    /// The focus that the sheets took, while some are shown.
    private var focusBefore: KeptFocus?
    /// The person of the node, as it last answered.
    private var person: Key?
    /// The subject of a notice that was clicked before the node was reached.
    private var wanted: InboxSubject?
    private var ticker: Ticker?
    private var work: Task<Void, Never>?

    /// Creates a window of `application` that follows the node behind `feed`, with these panels.
    init(
        of application: Application, node: any NodeConnection, feed: NodeFeed,
        words: RecoveryWordsFile, practice: PracticeProcess, tips: TipsFile,
        dragged: DraggedFiles, catalogue: [any Panel.Type]
    ) {
        self.feed = feed
        wordsFile = words
        practiceMate = practice
        self.tips = tips
        self.words = RecoveryWordsView()
        window = Window(of: application, header: header, width: 980, height: 687)
        board = PanelBoard(
            of: catalogue, node: node, clock: feed.time, people: feed.people, map: map.canvas,
            draggedFiles: dragged)
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
        window.preloadFonts(for: "산책 🐕")  // In any language, names and messages may have Hangul.
        work = Task { [feed] in await feed.run() }
        ticker = Ticker { [weak self] in self?.update() }
        show()
    }

    /// Opens what an inbox item is about, as soon as the node is reached.
    func open(_ subject: InboxSubject) {
        present()
        wanted = subject
        openWanted()
    }

    private func openWanted() {
        guard page == .main, feed.stage == .live, let subject = wanted else { return }
        wanted = nil
        board.open(subject)
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
        header.addAtEnd(menu)
        menu.update()
        headerControls.append(menu)
        let content = Box(.down, [bars.view, sheets, undoBar])
        content.onResize { [weak self] in self?.bars.divide(height: $0.height) }
        window.setContent(content)
        undoBar.setButtons([
            Button(localized("Undo")) { [weak self] in self?.board.undo() },
            Button(icon: "window-close-symbolic", name: localized("Close this bar")) {
                [weak self] in
                self?.board.settleUndo()
            },
        ])
    }

    private func connect() {
        feed.onChange = { [weak self] in self?.show() }
        feed.onEvent = { [weak self] in self?.board.receive($0) }
        feed.onFault = { [weak self] in self?.say(fault: CommandFault($0).shown()) }
        words.onLater = { [weak self] in self?.leaveWords() }
        words.onConfirm = { [weak self] in
            self?.wordsFile.remove()
            self?.leaveWords()
        }
        words.onFault = { [weak self] in self?.say(fault: $0) }
        practiceMate.onChange = { [weak self] in self?.update() }
        main.onTurn = { [weak self] in
            self?.showTitle()
            self?.map.canvas.endApproach()
            self?.board.turned(to: $0)
        }
        main.onDivide = { [weak self] in self?.divided() }
        map.canvas.onShow = { [weak self] in self?.main.showMap() }
        map.serve(board)
        window.onKey { [weak self] in self?.press($0) ?? false }
        window.onFilesDropped { [weak self] in self?.open(files: $0) }
        window.onClose { [weak self] in
            self?.board.close()
            self?.work?.cancel()
            self?.practiceMate.stop()
            self?.ticker = nil
        }
    }
}

// MARK: - Pages

extension MainWindow {
    private func show() {
        switch feed.stage {
        case .connecting: showWaiting()
        case .starting:
            show(.status)
            status.wait(
                localized("Starting Waggle"),
                localized("It keeps running when you close this window."))
        case .notRunning(let reason):
            show(.status)
            status.say(localized("Waggle is not running"), reason, action: localized("Try again")) {
                [weak self] in
                self?.feed.retry()
            }
        case .live: showLive()
        case .lost: break
        }
        bars.show(feed.stage)
        enableHeader()
    }

    private func showWaiting() {
        show(.status)
        status.wait("Waggle", localized("One moment…"))
    }

    private func showLive() {
        let isNewPerson = person != nil && person != feed.people.me?.person
        person = feed.people.me?.person ?? person
        // A deleted user's node may answer once more before it ends.
        guard isNewPerson || !bars.isSilent else { return }
        if bars.isSilent { board.whenSettled { [weak self] in self?.bars.isSilent = false } }
        if isNewPerson { hasShownWords = false }
        if page == .status || isNewPerson { showFirstPage() }
        update()
        openWanted()
    }

    /// Shows the page with which a new user begins, or the main page.
    private func showFirstPage() {
        if let id = board.firstPage { board.show(page: id) } else { showWordsOnce() }
    }

    /// Shows the recovery words once after each start until they are confirmed, else the main page.
    private func showWordsOnce() {
        if !hasShownWords, wordsFile.isWaiting { showWords() } else { show(.main) }
    }

    private func showWords() {
        guard let secret = wordsFile.words else { return show(.main) }
        hasShownWords = true
        words.show(secret)
        show(.words)
    }

    private func leaveWords() {
        show(.main)
        board.panel(main.frontID)?.update()
        main.focusList()
    }

    private func show(_ page: WindowPage) {
        let isNew = page != self.page
        self.page = page
        enableHeader()
        showTitle()
        stack.show(page.name)
        if isNew && page == .main { main.focusList() }
    }

    private func enableHeader() {
        let isEnabled = feed.stage == .live && page != .words && !board.hasSheet
        for control in headerControls { control.isEnabled = isEnabled }
        main.enableFronts(feed.stage == .live)
    }

    private func showTitle() {
        let panel = page == .main ? board.panel(main.frontID) : nil
        let pageTitle = panel.flatMap { $0.comesFirst ? nil : type(of: $0).title } ?? "Waggle"
        let title = page == .main && main.isMapInFront ? localized("Map") : pageTitle
        guard title != shownTitle else { return }
        shownTitle = title
        header.setTitle(title)
    }

    /// Shows everything with the times and ages of this moment.
    private func update() {
        guard page == .main || page == .words else { return }
        showTitle()
        // Two lines of large text are higher than a header bar.
        let hasSubtitle = !main.isNarrow && !TextScale.isLarge
        header.setSubtitle(hasSubtitle ? board.subtitle ?? "" : "")
        board.update()
    }
}

// MARK: - Around the panels

extension MainWindow: PanelBoardView {
    func show(sheet: (any PanelSheet)?) {
        if sheetOnTop == nil, sheet != nil { focusBefore = KeptFocus(around: main) }
        sheetOnTop = sheet
        sheets.show(sheet, width: nil)
        divided()
        enableHeader()
        if sheet == nil { returnFocus() }
    }

    /// Gives the focus back to what had it before the sheets, else to the list of pages.
    private func returnFocus() {
        focusBefore?.restore()
        focusBefore = nil
        if page == .main, main.isFocusLost { main.focusList() }
    }

    /// Divides the width between the scrim of a sheet and the map that it uses.
    private func divided() {
        let keepsMap = page == .main && sheetOnTop?.usesMap == true && main.mapStart != nil
        main.setUnderSheet(sheetOnTop != nil, keepsMap: keepsMap)
        sheets.setWidth(keepsMap ? main.mapStart : nil)
    }

    func show(page id: String) {
        show(.main)
        main.show(page: id)
        showTitle()
        board.panel(main.frontID)?.update()
    }

    func leaveFront() {
        main.uncover()
        showTitle()
        showWordsOnce()
    }

    var visibleIDs: Set<String> { page == .main ? main.visibleIDs : [] }

    var frontPage: String? { page == .main && !main.isCovered ? main.shown : nil }

    var practice: PracticeOffer? { practiceMate.offer }

    var recoveryWords: PanelAction? {
        guard wordsFile.isWaiting else { return nil }
        return PanelAction(localized("Recovery words…")) { [weak self] in self?.showWords() }
    }

    func showMap(_ isShown: Bool) { isShown ? main.showMap() : main.hideMap() }

    func say(fault: String?) { bars.show(fault: fault) }

    func show(undo sentence: String?) {
        if let sentence { undoBar.say(sentence, detail: "") }
        undoBar.isVisible = sentence != nil
    }

    func forgetUser() {
        feed.expectEnd()
        bars.isSilent = true
        header.setSubtitle("")
        showWaiting()
    }

    func showPanels() {
        main.showBadges()
        bars.show(board.panels)
        map.canvas.show(board.mapLayer)
        map.update()
    }
}

// MARK: - User input

extension MainWindow {
    private func open(files paths: [String]) {
        let refused = board.open(files: paths)
        if !refused.isEmpty {
            let names = refused.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
            say(fault: localized("No program here can open \(names.joined(separator: ", "))."))
        }
    }

    private func press(_ press: KeyPress) -> Bool {
        if press.isControl, case .character(let character) = press.key, "wq".contains(character) {
            window.close()
            return true
        }
        if board.press(press, front: main.frontID) { return true }
        guard !board.hasSheet else { return false }
        switch press.key {
        case .escape: return back()
        case .menu where !press.isControl && !press.isShift:
            menu.open()
            return true
        case .character(let character) where press.isControl: return command(character)
        default: return false
        }
    }

    /// Leaves the page or the map that is in front of the others.
    private func back() -> Bool {
        if page == .words {
            words.leave()
            return true
        }
        guard page == .main else { return false }
        if main.isMapInFront || map.canvas.hasFocus, map.canvas.clear() { return true }
        if board.panel(main.frontID)?.back() == true { return true }
        if main.isCovered {
            // After the first page come the recovery words, as after its button.
            leaveFront()
            return true
        }
        guard main.back() else { return false }
        showTitle()
        return true
    }

    private func command(_ character: Character) -> Bool {
        switch character {
        case ",": showPreferences()
        case "?": showShortcuts()
        default:
            let digit = character.wholeNumberValue ?? 0
            guard page == .main, main.tabIDs.indices.contains(digit - 1) else { return false }
            board.show(page: main.tabIDs[digit - 1])
        }
        return true
    }

    private var menuActions: [PanelAction] {
        [
            PanelAction(localized("Preferences")) { [weak self] in self?.showPreferences() },
            PanelAction(localized("Keyboard shortcuts")) { [weak self] in self?.showShortcuts() },
            PanelAction(localized("About Waggle")) { [weak self] in
                guard let self else { return }
                present(AboutSheet(version: feed.version))
            },
        ]
    }

    private func showShortcuts() { present(ShortcutsSheet(of: board.panels)) }

    private func showPreferences() { present(PreferencesSheet(of: board.panels)) }

    /// Shows a sheet of the window itself.
    private func present(_ sheet: WindowSheet) {
        sheet.onClose = { [weak self, weak sheet] in sheet.map { self?.board.dismiss($0) } }
        board.present(PresentedSheet(owner: "window", sheet: sheet))
        sheet.focusClose()
    }
}

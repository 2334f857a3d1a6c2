import ChatPanel
import ControlAPI
import GtkKit
import PromisesPanel
import ProximityDropPanel

/// The window: it shows what the node has and sends what the user decides.
@MainActor
final class MainWindow {
    private let node: any NodeConnection
    private let feed: NodeFeed
    private let clock: WindowClock
    private let window: Window
    private let header = HeaderBar(title: "Waggle")
    private let profileButton = Button(icon: "avatar-default-symbolic", name: "Your profile")
    private let stack = Stack()
    private let overlay: Overlay
    private let status = StatusPage(icon: "org.waggle.Waggle")
    private let words = RecoveryWordsView()
    private let form: ProfileFormView
    private let main: MainView
    private let panel: DropPanel
    private let chat: ChatPanel
    private let promises: PromisesPanel
    private let lostBar = Bar(icon: "network-offline-symbolic").hidden()
    private let faultBar = Bar(icon: "dialog-warning-symbolic").hidden()
    private let requestBars = RequestBars()

    private var page = Page.status
    private var isFirstRunSkipped = false
    private var sheet: (widget: Widget, holder: Widget)?
    private var walkSheet: WalkSheet?
    private var ticker: Ticker?
    private var work: Task<Void, Never>?

    private enum Page: String {
        case status, words, form, main
    }

    /// A window of `application` that follows the node behind `feed`.
    init(of application: Application, node: any NodeConnection, feed: NodeFeed, clock: WindowClock)
    {
        self.node = node
        self.feed = feed
        self.clock = clock
        window = Window(of: application, header: header, width: 980, height: 640)
        panel = DropPanel(node: node)
        chat = ChatPanel(node: node)
        form = ProfileFormView(node: node)
        let panel = panel
        promises = PromisesPanel(node: node) { [weak feed] in
            feed?.picture.nodeTimeMs(at: clock.now()) ?? 0
        }
        main = MainView(
            chat: chat.page, promises: promises.page, dropButton: panel.button
        ) { [weak panel] in
            panel?.open()
        }
        overlay = Overlay(over: stack).expanding(across: true, down: true)
        assemble()
        connect()
    }

    /// Shows the window, or brings it to the front, and begins to follow the node.
    func present() {
        window.present()
        guard work == nil else { return }
        let feed = feed
        work = Task { await feed.run() }
        ticker = Ticker { [weak self] in self?.showPicture() }
        show()
    }

    private func assemble() {
        window.setTitle("Waggle")
        header.addAtStart(profileButton)
        stack.add(status, named: Page.status.rawValue)
        stack.add(Scroller(words), named: Page.words.rawValue)
        stack.add(Scroller(form), named: Page.form.rawValue)
        stack.add(main, named: Page.main.rawValue)
        window.setContent(
            Box(.down, [lostBar, faultBar, panel.bar, requestBars, overlay]))
        lostBar.setButtons([
            Button("Try again now") { [weak self] in self?.feed.retry() }
        ])
        lostBar.say(
            "The node is gone", detail: "What you see may be old. Trying to reach it again…")
        faultBar.setButtons([Button("Close") { [weak self] in self?.faultBar.isVisible = false }])
    }

    private func connect() {
        feed.onChange = { [weak self] in self?.show() }
        feed.onEvent = { [weak self] event in
            guard let self else { return }
            let (panel, chat, promises) = (panel, chat, promises)
            Task { await panel.receive(event) }
            Task { await chat.receive(event) }
            Task { await promises.receive(event) }
        }
        chat.onTitleChange = { [weak self] in
            guard let self else { return }
            main.setChatTitle(chat.title)
        }
        feed.onFault = { [weak self] in self?.sayFault($0) }
        panel.onOpenChange = { [weak self] in self?.showDropSheet() }
        promises.onOpenChange = { [weak self] in self?.showPromiseSheet() }
        promises.onPlacesChange = { [weak self] in self?.showPicture() }
        promises.onMake = { [weak self] in self?.makePromise() }
        promises.chosenPoint = { [weak self] in
            self?.main.map.canvas.chosen.map { ($0.latitude, $0.longitude) }
        }
        profileButton.onClick { [weak self] in self?.openForm() }
        words.onDone = { [weak self] in self?.showFirstPage() }
        form.onDone = { [weak self] in self?.leaveForm() }
        main.mates.onAsk = { [weak self] in self?.ask($0) }
        main.mates.onShow = { [weak self] in self?.main.map.canvas.select(id: $0.person) }
        main.map.canvas.onOpen = { [weak self] in self?.open($0) }
        main.map.placeBar.onSetPlace = { [weak self] in self?.setPlace($0) }
        main.nearby.onVisibility = { [weak self] isForEveryone in
            self?.perform(
                isForEveryone ? "visibility/everyone" : "visibility/mates", [String: String]())
        }
        main.requests.onAnswer = { [weak self] in self?.answer($0, $1) }
        requestBars.onAnswer = { [weak self] in self?.answer($0, $1) }
        window.onKey { [weak self] key in key == .escape && self?.escape() ?? false }
        window.onClose { [weak self] in
            self?.work?.cancel()
            self?.ticker = nil
        }
    }
}

// MARK: - What is shown

extension MainWindow {
    private func show() {
        lostBar.isVisible = feed.stage == .lost
        profileButton.isEnabled = feed.stage == .live && page != .words
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
            break
        }
    }

    private func showLive() {
        if page == .status {
            if let secret = feed.takeRecoveryWords() {
                words.show(secret)
                show(.words)
            } else {
                showFirstPage()
            }
            Task { [panel, chat, promises] in
                await panel.refresh()
                await chat.refresh()
                await promises.refresh()
            }
        }
        showPicture()
    }

    private func showFirstPage() {
        let isFirstRun = feed.picture.me?.complete == false && !isFirstRunSkipped
        if isFirstRun { openForm() } else { show(.main) }
    }

    /// Shows the picture with the ages and seconds of this moment.
    private func showPicture() {
        guard feed.stage == .live || feed.stage == .lost else { return }
        let profile = feed.picture.me?.profile
        header.setSubtitle(
            [profile?.nickname, profile?.dogName].compactMap { $0 }.joined(separator: " & "))
        main.show(feed.picture, promise: promises.places, now: clock.now())
        requestBars.show(feed.picture, now: clock.now())
    }

    private func show(_ page: Page) {
        self.page = page
        profileButton.isEnabled = feed.stage == .live && page != .words
        stack.show(page.rawValue)
    }

    private func openForm() {
        form.fill(feed.picture.me, isFirstRun: feed.picture.me?.complete == false)
        show(.form)
        form.focusFirst()
    }

    private func leaveForm() {
        isFirstRunSkipped = true
        show(.main)
    }
}

// MARK: - Sheets

extension MainWindow {
    private func showDropSheet() {
        if panel.isOpen {
            closeWalkSheet()
            if promises.isOpen { promises.close() }
            showSheet(panel.sheet)
        } else {
            hideSheet()
            panel.button.takeFocus()
        }
    }

    private func showPromiseSheet() {
        hideSheet()
        if let sheet = promises.sheet { showSheet(sheet) }
    }

    /// A promise is made for the chosen point, else for one's own place, else the map's middle.
    private func makePromise() {
        let canvas = main.map.canvas
        let point = MeetingPoint(
            chosen: canvas.chosen, mate: nil, mine: feed.picture.place.coordinate,
            middle: canvas.viewport.centre.coordinate)
        promises.make(
            latitude: point.coordinate.latitude, longitude: point.coordinate.longitude,
            words: point.words)
    }

    private func ask(_ mate: Mate) {
        let canvas = main.map.canvas
        let point = MeetingPoint(
            chosen: canvas.chosen, mate: mate.place?.coordinate,
            mine: feed.picture.place.coordinate, middle: canvas.viewport.centre.coordinate)
        let name = feed.picture.mates.names[mate.person] ?? mate.suffix
        let sheet = WalkSheet(node: node, to: mate, name: name, meeting: point)
        sheet.onDone = { [weak self] isSent in
            self?.closeWalkSheet()
            if isSent { self?.main.showRequests() }
        }
        walkSheet = sheet
        showSheet(sheet)
        sheet.focusMessage()
    }

    private func closeWalkSheet() {
        guard walkSheet != nil else { return }
        walkSheet = nil
        hideSheet()
    }

    /// Lays a sheet over the page, which cannot be used meanwhile.
    private func showSheet(_ widget: Widget) {
        hideSheet()
        let holder = Scroller(widget).aligned(.centre, .centre).growing(upTo: 4000)
        sheet = (widget, holder)
        stack.isEnabled = false
        overlay.float(holder)
    }

    private func hideSheet() {
        guard let sheet else { return }
        self.sheet = nil
        overlay.remove(sheet.holder)
        stack.isEnabled = true
    }

    private func escape() -> Bool {
        if panel.isOpen {
            panel.escape()
        } else if promises.isOpen {
            promises.close()
        } else if walkSheet != nil {
            closeWalkSheet()
        } else {
            return false
        }
        return true
    }
}

// MARK: - What the user decides

extension MainWindow {
    private func open(_ marker: MapMarker) {
        switch marker.kind {
        case .mate:
            guard let mate = feed.picture.mates.mates.first(where: { $0.person == marker.id })
            else { return }
            ask(mate)
        case .walk: main.showRequests()
        case .goal: main.map.canvas.choose(marker.coordinate)
        case .me: main.map.canvas.choose(marker.coordinate)
        }
    }

    private func setPlace(_ place: Coordinate) {
        perform("location/set", PlaceSetting(latitude: place.latitude, longitude: place.longitude))
        main.map.canvas.choose(nil)
    }

    private func answer(_ id: String, _ answer: RequestRow.Answer) {
        let path =
            switch answer {
            case .accept: "walk/accept"
            case .decline: "walk/decline"
            case .cancel: "walk/cancel"
            case .handled: "inbox/handle"
            }
        perform(path, RecordReference(id: id))
    }

    /// Sends an action; a refusal is said in a bar, in the node's own words.
    private func perform(_ path: String, _ body: some Encodable & Sendable) {
        let node = node
        Task { [weak self] in
            do {
                try await node.post(path, body)
                self?.faultBar.isVisible = false
            } catch {
                self?.sayFault(String(describing: error))
            }
        }
    }

    private func sayFault(_ sentence: String) {
        faultBar.say("That did not work", detail: sentence)
        faultBar.isVisible = true
    }
}

public import ControlAPI
public import GtkKit

/// The window's part of the profile drop: the big button, the sheet, and a bar while a drop runs
/// with the sheet closed, such as one that somebody else began.
@MainActor
public final class DropPanel {
    /// The button that opens the sheet.
    public let button: Button
    /// What lies over the window while ``isOpen``.
    public var sheet: Widget { dropSheet }
    /// The line at the top of the window; visible only while there is something to answer.
    public let bar: Bar
    /// Whether the sheet is asked for.
    public private(set) var isOpen = false
    /// Called when the sheet is to be shown or taken away.
    public var onOpenChange: @MainActor () -> Void = {}

    private let node: any NodeConnection
    private let dropSheet = DropSheet()
    private var session = DropSession.idle
    private var takenAt = Duration.zero
    /// A session that this window saw running, so that its end is shown too.
    private var watched: String?
    private var ticker: Ticker?
    private var shownBarActions: [DropScreen.Action] = []
    private var people: [DropCandidate] = []

    /// A panel that talks to `node`; it shows nothing before ``refresh()``.
    public init(node: any NodeConnection) {
        self.node = node
        button = Button("Drop your profile").suggested().styled("drop-button")
        bar = Bar(icon: "contact-new-symbolic").hidden()
        button.described("Exchange profiles with somebody who stands beside you.")
        button.onClick { [weak self] in self?.open() }
        dropSheet.onAction = { [weak self] in self?.perform($0) }
    }

    /// Asks the node how far its drop has come, and shows it.
    public func refresh() async {
        guard let session = try? await node.get("drop/show", as: DropSession.self) else { return }
        self.session = session
        takenAt = MainLoop.now
        if session.phase.isActive { watched = session.id ?? "" }
        show()
    }

    /// Asks again what an event says has changed.
    public func receive(_ event: NodeEvent) async {
        switch event.topic {
        case "drop", "open", "lost": await refresh()
        case "me", "nearby": if isOpen { await refreshOffer() }
        default: break
        }
    }

    /// Opens the sheet.
    public func open() {
        isOpen = true
        dropSheet.setFault(nil)
        show()
        onOpenChange()
        dropSheet.focusAction()
        Task { await refreshOffer() }
    }

    /// The Escape key: cancels what runs, or closes the sheet.
    public func escape() {
        perform(session.phase.isActive ? .cancel : .close)
    }

    /// The session that is worth showing: one that runs, or one whose end was not seen yet.
    private var current: DropSession {
        session.phase.isActive || session.isInvitation || (session.id ?? "") == watched
            ? session : .idle
    }

    private func refreshOffer() async {
        let preview = try? await node.get("drop/preview", as: DropPreview.self)
        let nearby = try? await node.get("nearby/list", as: DropCandidates.self)
        people = nearby?.people.filter { !$0.mate } ?? []
        dropSheet.offer(preview)
        offerTargets()
    }

    /// Anyone nearby before a drop; those who pressed at the same time while it looks for one.
    private func offerTargets() {
        guard let candidates = session.candidates, !candidates.isEmpty else {
            dropSheet.offer(to: people, orAnyone: true)
            return
        }
        let pressed = candidates.map { candidate in
            people.first { $0.device == candidate.device }
                ?? DropCandidate(
                    device: candidate.device, suffix: candidate.suffix, mate: false,
                    dropOpen: false)
        }
        dropSheet.offer(to: pressed, orAnyone: false)
    }

    private func show() {
        let left = session.secondsLeft.map {
            Countdown(secondsLeft: $0, takenAt: takenAt).left(at: MainLoop.now)
        }
        offerTargets()
        let current = current
        let screen = DropScreen(current, secondsLeft: left)
        dropSheet.show(screen, of: current)
        showBar(screen, of: current)
        ticker = session.phase.isActive ? ticker ?? makeTicker() : nil
    }

    private func makeTicker() -> Ticker {
        Ticker { [weak self] in self?.show() }
    }

    private func showBar(_ screen: DropScreen, of session: DropSession) {
        bar.isVisible = !isOpen && (session.phase != .idle || session.isInvitation)
        guard bar.isVisible else { return }
        let code = session.spelledCheckCode.map { " Both screens show \($0)." } ?? ""
        bar.say(screen.title, detail: screen.sentence + code)
        let canDecline = screen.actions.contains(.decline)
        let actions = screen.actions.filter { $0 != .again && !($0 == .cancel && canDecline) }
        guard actions != shownBarActions else { return }
        shownBarActions = actions
        bar.setButtons(actions.map(makeBarButton))
    }

    private func makeBarButton(_ action: DropScreen.Action) -> Button {
        let button = Button(action.rawValue) { [weak self] in self?.performInBar(action) }
        return action == .accept ? button.suggested() : button
    }

    /// An invitation is accepted in the sheet, because that shows first what will be sent.
    private func performInBar(_ action: DropScreen.Action) {
        let needsSheet = session.isInvitation && action == .accept || action == .choose
        if needsSheet { open() } else { perform(action) }
    }

    private func perform(_ action: DropScreen.Action) {
        switch action {
        case .start, .choose: start(with: dropSheet.targetDevice)
        case .accept where session.isInvitation: start(with: session.peer?.device)
        case .accept: post("drop/accept", [String: String]())
        case .decline: post("drop/decline", [String: String]())
        case .cancel:
            if session.phase.isActive { post("drop/cancel", [String: String]()) } else { close() }
        case .again:
            watched = nil
            show()
        case .close: close()
        }
    }

    private func start(with device: String?) {
        post("drop/start", DropStart(to: device, share: dropSheet.share))
    }

    private func close() {
        watched = nil
        let wasOpen = isOpen
        isOpen = false
        show()
        if wasOpen { onOpenChange() }
    }

    private func post(_ path: String, _ body: some Encodable & Sendable) {
        Task {
            do {
                try await node.post(path, body)
                dropSheet.setFault(nil)
            } catch {
                dropSheet.setFault(String(describing: error))
            }
            await refresh()
        }
    }
}

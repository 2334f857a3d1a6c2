public import Contract
import ControlAPI
public import FeaturesAPI
public import GtkKit
public import PanelKit
import ProximityDropAPI

/// The window's part of the profile drop: the button, the sheet, and a bar if a drop runs while the
/// sheet is closed, such as one that another person began.
@MainActor
public final class DropPanel: Panel {
    /// The name of the plugin.
    public static let id = "drop"
    /// The name of the feature.
    public static let title = localized("Profile drop")
    /// An icon of a person to add.
    public static let icon = "contact-new-symbolic"
    /// The button in the header bar.
    public static let layout = PanelLayout.header

    /// A person nearby.
    public static let accepts: [Offer.Kind: String] = [
        .device: localized("Drop"), .announced: localized("Drop"),
    ]

    /// The tip for the first drop.
    static let tip = Tip(
        "drop",
        localized("Both of you press Drop within 30 seconds. Nothing is sent before you press it."))

    private let context: PanelContext
    private let button = Button(icon: icon, text: localized("Drop")).suggested()
        .named(title).tooltip(title)
    private let tip: TipView
    private let sheet: DropSheet
    private var asked: StaleQueries<DropQuery>?
    private var isOpen = false
    private var session = DropStatus.idle
    private var measuredAt = Duration.zero
    private var watched: WatchedDrop?
    private var people: [NearbyList.Person] = []
    private var announced: [NearbyList.Announced] = []

    /// A panel that shows nothing before the window is connected.
    public init(context: PanelContext) {
        self.context = context
        tip = TipView(Self.tip, context)
        sheet = DropSheet(
            tip: tip, photos: DropPhotoViews(node: context.node, photos: context.photos))
        asked = DropQuery.queries(isOpen: { [weak self] in self?.isOpen ?? false }) { [weak self] in
            try await self?.ask($0)
        }
        button.onClick { [weak self] in self?.open() }
        sheet.onAction = { [weak self] in self?.perform($0) }
    }

    /// The button that opens the sheet.
    public var page: Widget? { button }
    /// The queries to the node.
    public var queries: (any PanelQueries)? { asked }
    /// A drop.
    public var waysToMeet: [PanelAction] {
        [PanelAction(localized("Start a drop")) { [weak self] in self?.open() }]
    }

    /// The drop that runs while the sheet is closed.
    public var bars: [PanelBar] {
        let current = current
        guard !isOpen else { return [] }
        guard current.phase != .idle || current.isInvitation else { return barOfOtherDevice }
        let screen = DropScreen(current, timeLeft: timeLeft)
        let code = current.spelledCheckCode.map { localized(" Both screens show \($0).") } ?? ""
        return [
            PanelBar(
                id: "drop", icon: Self.icon, title: screen.title, detail: screen.sentence + code,
                answers: screen.barActions.map(makeAnswer))
        ]
    }

    /// The drop on another device of the user, without answers: it is answered there.
    private var barOfOtherDevice: [PanelBar] {
        guard let elsewhere = session.elsewhere else { return [] }
        return [
            PanelBar(
                id: "drop-elsewhere", icon: Self.icon, title: Self.title,
                detail: elsewhere.sentence, answers: [])
        ]
    }

    /// The answers to an invitation to a drop, the same as in the bar.
    public func answers(to item: InboxList.Item) -> [PanelAction] {
        guard item.kind == "drop", !item.actions.isEmpty else { return [] }
        return DropScreen(current, timeLeft: timeLeft).barActions.map(makeAnswer)
    }

    /// Shows the seconds that are left.
    public func update() {
        if session.phase.isActive { show() }
    }

    private func ask(_ query: DropQuery) async throws {
        switch query {
        case .session:
            let before = session
            session = try await context.node.call(DropCommands.show)
            measuredAt = context.clock.now
            if session.phase.isActive, watched?.covers(session) != true {
                watched = WatchedDrop(after: before)
            }
            watched?.follow(session)
            // The user has just tapped that they met someone: the sheet is the answer.
            if session.begins(after: before), !isOpen { open() }
        case .preview:
            guard isOpen else { return }
            sheet.offer(try await context.node.call(DropCommands.preview))
        case .people:
            guard isOpen else { return }
            try await lookAround()
        }
        show()
        context.changed()
    }

    private func lookAround() async throws {
        let nearby = try await context.node.call(NearbyCommands.list)
        people = nearby.people.filter { !$0.mate }
        announced = nearby.announced.filter { !$0.mate }
    }

    /// Opens the sheet for a drop with this person, who need not be here any more.
    public func accept(_ offer: Offer) {
        let person: NameOrKey
        switch offer {
        case .device(let device): person = NameOrKey(device)
        case .announced(let tag): person = NameOrKey(tag)
        default: return
        }
        Task {
            do {
                try await lookAround()
                open()
                sheet.choose(person)
            } catch {
                context.report(error)
            }
        }
    }

    /// The session to show: one that runs, or one whose end was not shown yet.
    private var current: DropStatus {
        session.phase.isActive || session.isInvitation || watched?.covers(session) == true
            ? session : session.withoutDrop
    }

    private var timeLeft: Duration? {
        session.secondsLeft.map {
            Countdown(timeLeft: .seconds($0.value), measuredAt: measuredAt)
                .left(at: context.clock.now)
        }
    }

    private func show() {
        offerTargets()
        sheet.show(DropScreen(current, timeLeft: timeLeft), of: current)
    }

    /// Offers everybody nearby before a drop. While a drop looks for its target, offers the devices
    /// that pressed at the same time.
    private func offerTargets() {
        guard let candidates = session.candidates, !candidates.isEmpty else {
            let ranged = session.ranged.available ? [DropTarget.together] : []
            return sheet.offer(
                to: DropTarget.list(
                    [.anyone] + ranged + people.map { DropTarget($0) }
                        + announced.map { DropTarget($0) }),
                keepsChosen: isOpen)
        }
        sheet.offer(
            to: DropTarget.list(
                candidates.map { candidate in
                    people.first { $0.device == candidate.device }.map { DropTarget($0) }
                        ?? DropTarget(candidate)
                }))
    }
}

extension DropPanel {
    /// Shows the invitation that an inbox item is about.
    public func open(_ subject: InboxSubject) -> Bool {
        guard subject.kind == "drop" else { return false }
        if !isOpen { open() }
        return true
    }
}

// MARK: - User input

extension DropPanel {
    private func open() {
        isOpen = true
        sheet.setFault(nil)
        tip.update()
        show()
        context.present(
            sheet, onDismiss: { [weak self] in self?.closed() },
            onEscape: { [weak self] in self?.escape() })
        context.changed()
        sheet.focusAction()
        asked?.askAgain([.preview, .people])
    }

    /// The Escape key cancels a drop that runs, or else closes the sheet.
    private func escape() {
        perform(session.phase.isActive ? .cancel : .close)
    }

    private func close() {
        watched = nil
        context.dismiss(sheet)
        show()
        context.changed()
    }

    private func closed() {
        isOpen = false
        button.grabFocus()
        context.changed()
    }

    private func makeAnswer(_ action: DropScreen.Action) -> PanelAction {
        PanelAction(action.name, isSuggested: action == .accept) { [weak self] in
            self?.performInBar(action)
        }
    }

    /// An invitation is accepted in the sheet, because that shows first what will be sent.
    private func performInBar(_ action: DropScreen.Action) {
        let needsSheet = session.isInvitation && action == .accept || action == .choose
        if needsSheet { open() } else { perform(action) }
    }

    private func perform(_ action: DropScreen.Action) {
        switch action {
        case .start, .choose:
            start(with: sheet.chosen?.person, isRanged: sheet.chosen?.isRanged ?? false)
        case .accept where session.isInvitation:
            start(with: session.peer.map { NameOrKey($0.device) })
        case .accept: perform(DropCommands.accept, NoParameters())
        case .decline: perform(DropCommands.decline, NoParameters())
        case .cancel:
            guard session.phase.isActive else { return close() }
            perform(DropCommands.cancel, NoParameters())
        case .again:
            watched = nil
            show()
            context.changed()
        case .close: close()
        }
    }

    private func start(with person: NameOrKey?, isRanged: Bool = false) {
        if !session.phase.isActive { watched = WatchedDrop(after: session) }
        perform(
            DropCommands.start,
            StartDrop(to: person, share: sheet.share, ranged: isRanged ? true : nil),
            then: { [context] in context.close(Self.tip) },
            otherwise: { [weak self] in
                if self?.session.phase.isActive == false { self?.watched = nil }
            })
    }

    private func perform<Request, Answer>(
        _ command: Command<Request, Answer>, _ request: Request,
        then onDone: @escaping @MainActor () -> Void = {},
        otherwise onFault: @escaping @MainActor () -> Void = {}
    ) {
        Task {
            do {
                _ = try await context.node.call(command, request)
                sheet.setFault(nil)
                onDone()
            } catch {
                sheet.setFault(CommandFault(error).shown())
                onFault()
            }
        }
    }
}

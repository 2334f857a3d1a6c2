import Contract
import ControlAPI
import FeaturesAPI
import GtkKit
import NodeAPI
import PanelKit

/// The inbox: walk requests and the items of all features, with what answers them.
@MainActor
final class RequestsPanel: Panel {
    static let id = "requests"
    static let title = localized("Inbox")
    static let icon = "mail-unread-symbolic"
    static let accepts: [Offer.Kind: String] = [
        .person: localized("Ask for a walk…"), .location: localized("Ask for a walk here…"),
    ]

    static let shortTitles: [Offer.Kind: String] = [.person: localized("Walk…")]

    /// A query of the panel.
    enum Query: CaseIterable {
        case walks, inbox
    }

    /// Returns the queries with the events that make them stale.
    static func queries(
        ask: @escaping @MainActor (Query) async throws -> Void
    ) -> StaleQueries<Query> {
        StaleQueries(
            .after(WalkEvents.changed, .walks), .after(InboxEvents.changed, .inbox), ask: ask)
    }

    private let context: PanelContext
    private let view = InboxView()
    private let scroller: Scroller
    private let pick: LocationPick
    private let export: ExportDialog
    private var asked: StaleQueries<Query>?
    private var state = RequestsState()
    private weak var sheet: WalkSheet?
    /// The fields of a request that was closed before it was sent.
    private var unsent: WalkForm?

    init(context: PanelContext) {
        self.context = context
        export = ExportDialog(context)
        scroller = Scroller(view)
        pick = LocationPick(context)
        asked = Self.queries { [weak self] in try await self?.ask($0) }
        asked?.onFault = context.report
        asked?.onSettled = { [weak self] in
            self?.update()
            self?.context.changed()
        }
        scroller.onMap { [weak self] in
            self?.update()
            self?.context.changed()
        }
    }

    var page: Widget? { scroller }
    var badge: Int { state.waitingCount }
    var queries: (any PanelQueries)? { asked }
    var mapLayer: MapLayer {
        MapLayer(
            markers: state.markers(
                names: context.people.names, now: context.clock.now, time: context.clock.nodeTime))
    }

    /// The requests that wait for an answer; the page itself has them too.
    var bars: [PanelBar] {
        guard !scroller.isMapped else { return pick.bars }
        let requests = state.bars(
            context.people, now: context.clock.now, time: context.clock.nodeTime
        ) { [context] id, isYes in
            context.perform(
                isYes ? WalkCommands.accept : WalkCommands.decline,
                WalkReference(id: RecordPrefix(id)))
        }
        return pick.bars + requests
    }

    var shortcuts: [Shortcut] {
        [
            Shortcut(KeyPress(.character("n"), isControl: true), localized("Ask for a walk")) {
                [weak self] in
                self?.askAnybody()
            }
        ]
    }

    private func askAnybody() {
        let mates = context.people.mates.map(\.person).filter(context.people.isMate)
        present(for: mates, meeting: context.meetingPoint())
    }

    func update() {
        guard scroller.isMapped else { return }
        view.show(state.entries) { [weak self] in self?.content(of: $0) }
    }

    func open(_ item: MapItem) -> Bool {
        guard state.walks.requests.contains(where: { $0.id.string == item.id }) else {
            return false
        }
        context.showPage()
        return true
    }

    func open(_ subject: InboxSubject) -> Bool {
        guard ["walk", "group", InboxSubject.inbox.kind].contains(subject.kind) else {
            return false
        }
        context.showPage()
        return true
    }

    func chose(_ location: Coordinate?) {
        if let location { sheet?.show(MeetingPoint(offered: location)) }
        pick.chose(location)
    }

    private func ask(_ query: Query) async throws {
        switch query {
        case .walks:
            state.walks = try await context.node.call(WalkCommands.list)
            state.countedAt = context.clock.now
        case .inbox:
            state.inbox = try await context.node.call(InboxCommands.list)
            let open = Set(state.inbox.items.filter { !$0.handled }.map(\.id))
            state.dismissed.formIntersection(open)
        }
    }
}

// MARK: - Rows

extension RequestsPanel {
    private func content(of entry: InboxEntry) -> InboxRow.Content {
        let now = context.clock.nodeTime
        switch entry.subject {
        case .walk(let request, _):
            let text = RequestText(request, names: context.people.names)
            return InboxRow.Content(
                entry: entry, title: text.title, detail: text.detail(now: now),
                state: text.state(
                    countdown: state.countdown(of: request), now: context.clock.now, time: now),
                person: (request.person, text.name), symbol: Self.walkSymbol,
                actions: actions(for: entry, title: text.title),
                fileToDrag: context.dragging(appointment(request)))
        case .item(let item):
            return InboxRow.Content(
                entry: entry, title: item.title.string, detail: item.body.string,
                state: localized(AgeText.ago(since: item.atMs, now: now)),
                person: entry.person.map { (key: $0, name: context.people.names[$0] ?? "") },
                symbol: symbol(of: item),
                actions: actions(for: entry, title: item.title.string))
        }
    }

    private static let walkSymbol = "mark-location-symbolic"

    /// The icon of the feature that an item belongs to.
    private func symbol(of item: InboxList.Item) -> String {
        switch item.kind {
        case "walk": Self.walkSymbol
        case "group": MatesPanel.icon
        default: context.icon(of: item) ?? "dialog-information-symbolic"
        }
    }

    private func actions(for entry: InboxEntry, title: String) -> [PanelAction] {
        let answers =
            switch entry.subject {
            case .walk(let request, _): calendarActions(request) + walkActions(request)
            case .item(let item):
                entry.standing == .handled ? [] : groupActions(item) + context.answers(to: item)
            }
        guard entry.canBeDismissed else { return answers }
        let items = entry.unhandled.map(\.id)
        return answers + [
            PanelAction(localized("Dismiss"), icon: "window-close-symbolic") { [weak self] in
                self?.dismiss(items, title: title)
            }
        ]
    }

    private func walkActions(_ request: WalkRequest) -> [PanelAction] {
        let reference = WalkReference(id: RecordPrefix(request.id))
        func action(
            _ title: String, _ command: Command<WalkReference, WalkRequest>
        ) -> PanelAction {
            PanelAction(title) { [context] in context.perform(command, reference) }
        }
        return switch request.answers(ofMate: context.people.isMate(request.person)) {
        case .acceptOrDecline:
            [
                action(localized("Decline"), WalkCommands.decline),
                action(localized("Accept"), WalkCommands.accept),
            ]
        case .cancel: [action(localized("Cancel request"), WalkCommands.cancel)]
        case .askBack:
            [PanelAction(localized("Ask back")) { [weak self] in self?.askAgain(request) }]
        case .askAgain:
            [PanelAction(localized("Ask again")) { [weak self] in self?.askAgain(request) }]
        case .none: []
        }
    }

    /// Saves a walk at a time, if it is to come, for the user's calendar.
    private func calendarActions(_ request: WalkRequest) -> [PanelAction] {
        guard let appointment = appointment(request) else { return [] }
        let save = PanelAction(
            localized("Save for a calendar…"), icon: "x-office-calendar-symbolic"
        ) { [export] in
            export.ask(title: localized("Save for a calendar"), appointment)
        }
        return [save]
    }

    /// Returns a walk at a time as an event, if it is to come.
    private func appointment(_ request: WalkRequest) -> Export<ExportWalk>? {
        let isOpen = [.queued, .delivered, .pending, .accepted].contains(request.state)
        guard isOpen, let time = request.atMs, time > context.clock.nodeTime else { return nil }
        return Export(
            named: context.people.name(of: request.person), ending: CalendarFileSetting.ending,
            WalkCommands.export
        ) { ExportWalk(id: RecordPrefix(request.id), ics: $0) }
    }

    /// The answers to the invitation to a group.
    private func groupActions(_ item: InboxList.Item) -> [PanelAction] {
        guard item.kind == "group", item.actions.contains(where: { $0.string == "accept" }),
            let group = item.ref.flatMap({ try? NameOrKey($0.string, field: "group") })
        else { return [] }
        return [
            PanelAction(localized("Decline")) { [context] in
                context.perform(GroupCommands.decline, GroupReference(group: group))
            },
            PanelAction(localized("Accept")) { [context] in
                context.perform(GroupCommands.accept, GroupReference(group: group))
            },
        ]
    }

    /// Puts the items of a row away. They can be put back for a few seconds.
    private func dismiss(_ items: [RecordKey], title: String) {
        state.dismissed.formUnion(items)
        context.offerUndo(
            UndoOffer(
                localized("Dismissed: \(title)"), undo: { [weak self] in self?.putBack(items) }
            ) {
                [context] in
                for item in items {
                    context.perform(
                        InboxCommands.handle, InboxReference(id: RecordPrefix(item)))
                }
            })
        update()
        context.changed()
    }

    private func putBack(_ items: [RecordKey]) {
        state.dismissed.subtract(items)
        update()
        context.changed()
    }
}

// MARK: - Asking for a walk

extension RequestsPanel {
    func canAccept(_ offer: Offer) -> Bool {
        offer.person.map(context.people.isMate) ?? context.people.hasMates
    }

    func accept(_ offer: Offer) {
        if let person = offer.person {
            present(for: [person], meeting: context.meetingPoint(with: person))
        } else if case .location(let location, let name) = offer {
            if let name { unsent = (unsent ?? WalkForm()).with(\.locationName, name) }
            present(
                for: context.people.mates.map(\.person).filter(context.people.isMate),
                meeting: MeetingPoint(offered: location, name: name))
        }
    }

    /// Asks the person of a request once more, in the same words.
    private func askAgain(_ request: WalkRequest) {
        let name = request.locationName?.string
        if request.direction == .sent {
            unsent = WalkForm(
                to: request.person, locationName: name ?? "", message: request.message.string)
        }
        present(
            for: [request.person],
            meeting: MeetingPoint(offered: request.coordinate, name: name))
    }

    /// Opens the sheet that asks one of these mates for a walk, with the fields that were not sent.
    private func present(for mates: [Key], meeting point: MeetingPoint?) {
        guard !mates.isEmpty else { return }
        var form = unsent ?? WalkForm()
        form.to = mates.count == 1 ? mates.first : form.to.flatMap { mates.contains($0) ? $0 : nil }
        let sheet = WalkSheet(context, to: mates, form: form, meeting: point)
        self.sheet = sheet
        unsent = nil
        var isSent = false
        sheet.onDone = { [context, weak sheet] sent in
            isSent = sent
            sheet.map(context.dismiss)
            if sent { context.showPage() }
        }
        sheet.onChooseLocation = { [weak self, weak sheet] in
            guard let self, let sheet else { return }
            context.dismiss(sheet)
            pick.begin(localized("Where do you want to meet?")) { [weak self] location in
                self?.present(
                    for: mates, meeting: location.map { MeetingPoint(offered: $0) } ?? point)
            }
        }
        context.present(
            sheet,
            onDismiss: { [weak self, weak sheet] in
                if !isSent { self?.unsent = sheet?.form }
            })
        sheet.focusFirst()
    }
}

extension WalkForm {
    /// Returns the form with another text in one field.
    fileprivate func with(_ field: WritableKeyPath<WalkForm, String>, _ text: String) -> WalkForm {
        var form = self
        form[keyPath: field] = text
        return form
    }
}

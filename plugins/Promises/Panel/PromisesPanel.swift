public import Contract
import ControlAPI
public import FeaturesAPI
public import GtkKit
public import PanelKit
import PromisesAPI

/// The window's part of promises: a page of all and a page of one, the open one on the map, and the
/// sheet that makes or changes one.
@MainActor
public final class PromisesPanel: Panel {
    /// The name of the plugin.
    public static let id = "promises"
    /// The title of the page.
    public static let title = localized("Promises")
    /// A calendar.
    public static let icon = "x-office-calendar-symbolic"
    /// Invitations, reminders, arrivals and results.
    public static let inboxKind: InboxKind? = "promise"
    /// A promise can be made for a location, and with a mate.
    public static let accepts: [Offer.Kind: String] = [
        .location: localized("New promise here…"), .person: localized("New promise with…"),
    ]

    /// An event of a calendar fills the form of a new promise.
    public static let fileTypes: Set<String> = ["ics"]

    private let context: PanelContext
    private let model: PromisesModel
    private let list = PromiseListView()
    private let view: PromiseView
    private let stack = Stack()
    private let pick: LocationPick
    private let export: ExportDialog
    private weak var sheet: PromiseSheet?
    /// The fields that were closed before they were sent: of new promises under nil, of changes
    /// under the promise's id.
    private var unsent: [Key?: PromiseForm] = [:]

    private static let listName = "list"
    private static let promiseName = "promise"

    /// A panel that shows nothing before the window is connected.
    public init(context: PanelContext) {
        self.context = context
        model = PromisesModel(node: context.node, clock: context.clock)
        view = PromiseView(context)
        pick = LocationPick(context)
        export = ExportDialog(context)
        stack.add(Scroller(list), named: Self.listName)
        stack.add(Scroller(view), named: Self.promiseName)
        stack.show(Self.listName)
        connect()
    }

    private func connect() {
        model.onChange = { [weak self] in
            self?.update()
            self?.context.changed()
        }
        list.onMake = { [weak self] in self?.make() }
        list.onOpen = { [weak self] in self?.open($0) }
        list.onAction = { [weak self] in self?.perform($0, $1) }
        list.onMorePast = { [weak self] in self?.askMorePast() }
        list.onDrag = { [weak self] in self?.drag($0) }
        view.onDrag = { [weak self] in self?.drag($0) }
        view.onBack = { [weak self] in _ = self?.back() }
        view.onOpen = { [weak self] in self?.open($0) }
        view.onAction = { [weak self] in self?.perform($0, $1) }
        view.onSave = { [weak self] in self?.save($0) }
        list.onLedger = { [weak self] in self?.showLedger() }
        view.onLedger = { [weak self] in self?.showLedger() }
        stack.onMap { [weak self] in
            self?.update()
            self?.context.changed()
        }
    }

    /// The page.
    public var page: Widget? { stack }
    /// The invitations and questions that wait for an answer.
    public var badge: Int {
        model.state.open.count { $0.state == .invited || $0.sharing == .unconfirmed }
    }
    /// The queries to the node.
    public var queries: (any PanelQueries)? { model.queries }

    /// The locations of the promises to come; or that of the open one, and the people on the way
    /// there.
    public var mapLayer: MapLayer {
        model.state.promise.map {
            PromiseLayer.make(for: $0, people: model.state.people, passed: model.passed)
        } ?? MapLayer(markers: model.state.open.map(PromiseLayer.flag))
    }

    /// Shows a promise on its page, for a click on its flag or its circle.
    public func open(_ item: MapItem) -> Bool {
        let known = model.state.open + [model.state.promise].compactMap { $0 }
        guard let promise = known.first(where: { $0.id.string == item.id }) else { return false }
        context.showPage()
        open(promise.id)
        return true
    }

    /// Shows the promise that an inbox item is about; its reference begins with the promise's id.
    public func open(_ subject: InboxSubject) -> Bool {
        guard subject.kind == "promise" else { return false }
        context.showPage()
        if let id = try? Key(String(subject.reference.prefix { $0 != "-" })),
            model.state.selected != id
        {
            open(id)
        }
        return true
    }

    /// Shows times and ages as they are now; a page that is not shown costs nothing.
    public func update() {
        guard stack.isMapped else { return }
        let (state, now) = (model.state, context.clock.nodeTime)
        if let promise = state.promise {
            view.show(promise, state, passed: model.passed, now: now)
            stack.show(Self.promiseName)
        } else {
            list.show(state, now: now)
            stack.show(Self.listName)
        }
    }

    /// Queries the ledger again, which may change while nothing else does.
    public func didShow() { model.queries.askAgain([.ledger]) }

    private func open(_ id: Key) {
        model.open(id)
        view.focusBack()
    }

    /// Leaves the page of a promise.
    public func back() -> Bool {
        guard let closed = model.state.promise?.id else { return false }
        model.close()
        list.focus(closed)
        return true
    }

    /// Ctrl+N makes a promise while the page is in front.
    public var shortcuts: [Shortcut] {
        [
            Shortcut(KeyPress(.character("n"), isControl: true), localized("Make a promise")) {
                [weak self] in self?.make()
            }
        ]
    }

    private func showLedger() {
        let state = model.state
        let sheet = LedgerSheet(
            LedgerLine.all(of: state.standings, state.debts, now: context.clock.nodeTime))
        sheet.onClose = { [context, weak sheet] in sheet.map(context.dismiss) }
        context.present(sheet)
        sheet.focusClose()
    }

    private func askMorePast() {
        Task { [model, context] in
            do { try await model.askMorePast() } catch { context.report(error) }
        }
    }

    /// Performs an action; one that ends something for good is asked about first.
    private func perform(_ action: PromiseAction, _ promise: PromiseSummary) {
        if action == .change { return change(promise) }
        guard let question = action.question else { return send(action, promise) }
        context.confirm(
            "\(action.name): \(promise.title)?", question, button: action.name
        ) {
            [weak self] in self?.send(action, promise)
        }
    }

    private func send(_ action: PromiseAction, _ promise: PromiseSummary) {
        Task { [model, context] in
            do { try await model.perform(action, promise) } catch { context.report(error) }
        }
    }
}

// MARK: - Bars and the inbox

extension PromisesPanel {
    /// The promises for which the others see the user's location, those that ask whether they may,
    /// and invitations, which the list of all promises and the invitation's own page have too.
    public var bars: [PanelBar] {
        let open = model.state.open
        let (isMapped, shownID) = (stack.isMapped, model.state.promise?.id)
        let questions = open.filter { promise in
            let isAnsweredHere = isMapped && (shownID == nil || shownID == promise.id)
            return promise.sharing == .unconfirmed || promise.state == .invited && !isAnsweredHere
        }
        let shown = open.filter { $0.sharing.isForOthers && $0.state != .invited }
        return pick.bars
            + (shown + questions.prefix(Self.questionsCountMax)).compactMap { promise in
                let text = PromiseText.bar(
                    about: promise, viewers: model.state.viewers[promise.id] ?? [],
                    now: context.clock.nodeTime)
                return text.map { title, detail in
                    PanelBar(
                        id: promise.id.string, icon: "find-location-symbolic",
                        // Of several promises, each says which it is.
                        title: shown.count > 1 && detail.isEmpty
                            ? "\(promise.title): \(title)" : title,
                        detail: detail, answers: barAnswers(to: promise))
                }
            }
    }

    /// The number of questions in bars at most; the page has the others.
    private static let questionsCountMax = 2

    private func barAnswers(to promise: PromiseSummary) -> [PanelAction] {
        if promise.state == .invited { return actions([.decline, .accept], promise) }
        if promise.sharing == .unconfirmed { return actions([.leave, .confirm], promise) }
        let name = localized("Stop showing your location: \(promise.title)")
        return [
            PanelAction(localized("Stop"), name: name) { [weak self] in
                self?.perform(.stop, promise)
            }
        ]
    }

    private func actions(
        _ actions: [PromiseAction], _ promise: PromiseSummary
    ) -> [PanelAction] {
        actions.map { action in
            PanelAction(action.title, isSuggested: [.accept, .confirm].contains(action)) {
                [weak self] in
                self?.perform(action, promise)
            }
        }
    }

    /// The answers to an invitation or a question in the inbox; for news a button that shows the
    /// promise.
    public func answers(to item: InboxList.Item) -> [PanelAction] {
        guard item.kind == "promise", let reference = item.ref?.string,
            !reference.hasSuffix("-deleted"),
            let id = try? Key(String(reference.prefix { $0 != "-" }))
        else { return [] }
        let show = PanelAction(localized("Show")) { [weak self] in
            self?.context.showPage()
            self?.open(id)
        }
        guard let promise = model.state.open.first(where: { $0.id == id }) else { return [show] }
        let all = PromiseAction.all(for: promise, now: context.clock.nodeTime)
        let answers: [PromiseAction] =
            item.actions.isEmpty ? [] : [.accept, .decline, .confirm, .leave]
        let isInterrupted = reference.hasSuffix("-stopped")
        let wanted = all.filter { (isInterrupted ? [.share] : answers).contains($0) }
        return wanted.isEmpty ? [show] : actions(wanted, promise)
    }
}

// MARK: - Making and changing

extension PromisesPanel {
    /// Receives the location for a form that waits for one.
    public func chose(_ location: Coordinate?) {
        if let location { sheet?.show(MeetingPoint(offered: location)) }
        pick.chose(location)
    }

    /// Whether there is a mate who can be asked; a person must be one.
    public func canAccept(_ offer: Offer) -> Bool {
        offer.person.map(context.people.isMate) ?? context.people.hasMates
    }

    /// Opens the sheet that makes a promise at a location, or with a mate.
    public func accept(_ offer: Offer) {
        var form = unsent[nil] ?? PromiseForm()
        if case .location(let location, let name) = offer {
            if let name { form.locationName = name }
            present(form, meeting: MeetingPoint(offered: location, name: name))
        } else if let person = offer.person {
            form.people = [person]
            present(form, meeting: context.meetingPoint(with: person))
        }
    }

    /// Fills the form of a new promise with an event of a calendar file; nothing is sent.
    public func open(file path: String) {
        Task { [weak self, context] in
            do {
                let draft = try await context.node.call(
                    PromiseCommands.draft, ReadPromise(file: FilePath(path)))
                guard let self else { return }
                let form = PromiseForm(draft)
                present(
                    form,
                    meeting: form.location.map {
                        MeetingPoint(offered: $0, name: draft.locationName?.string)
                    } ?? context.meetingPoint())
            } catch {
                context.report(error)
            }
        }
    }

    /// Asks for a file, and writes a promise as an event to it.
    private func save(_ promise: PromiseSummary) {
        export.ask(title: localized("Save for a calendar"), event(of: promise))
    }

    private func drag(_ promise: PromiseSummary) -> String? {
        context.draggedFile(event(of: promise))
    }

    /// Returns a promise as an event.
    private func event(of promise: PromiseSummary) -> Export<ExportPromise> {
        Export(named: promise.title.string, ending: "ics", PromiseCommands.export) {
            ExportPromise(promise: NameOrKey(promise.id), ics: $0)
        }
    }

    /// Opens the sheet that makes a promise.
    private func make() {
        present(unsent[nil] ?? PromiseForm(), meeting: context.meetingPoint())
    }

    /// Opens the sheet that changes a promise of mine and asks more mates to it.
    private func change(_ promise: PromiseSummary) {
        let form =
            unsent[promise.id].flatMap { $0.original?.promise == promise ? $0 : nil }
            ?? PromiseForm(changing: promise, people: model.state.people)
        let location = form.location ?? Coordinate(promise.latitude, promise.longitude)
        let isMoved = location != form.original?.location
        present(
            form,
            meeting: isMoved
                ? MeetingPoint(offered: location) : MeetingPoint(planned: location))
    }

    /// Opens a sheet. If it is closed before it was sent, its fields are kept.
    private func present(_ form: PromiseForm, meeting point: MeetingPoint?) {
        let draft = form.original?.promise.id
        let sheet = PromiseSheet(context, form: form, meeting: point)
        self.sheet = sheet
        unsent[draft] = nil
        var isSent = false
        sheet.onDone = { [context, weak sheet] sent in
            isSent = sent
            sheet.map(context.dismiss)
            if sent { context.showPage() }
        }
        sheet.onChooseLocation = { [weak self, weak sheet] in
            guard let self, let sheet else { return }
            let form = sheet.form
            context.dismiss(sheet)
            pick.begin(localized("Where do you want to meet?")) { [weak self] location in
                self?.present(form, meeting: location.map { MeetingPoint(offered: $0) } ?? point)
            }
        }
        context.present(
            sheet,
            onDismiss: { [weak self, weak sheet] in
                if !isSent { self?.unsent[draft] = sheet?.form }
            })
        sheet.focusFirst()
    }
}

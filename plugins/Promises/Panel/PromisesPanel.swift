import Contract
import ControlAPI
import FeaturesAPI
public import GtkKit
public import PanelKit
import PromisesAPI

/// The window's part of promises: a page beside the map, the open promise on the map, and the sheet
/// that makes or changes one.
@MainActor
public final class PromisesPanel: Panel {
    /// The name of the plugin.
    public static let id = "promises"
    /// The title of the page.
    public static let title = "Promises"
    /// A calendar.
    public static let icon = "x-office-calendar-symbolic"
    /// A promise can be made for a location, and with a mate.
    public static let accepts: [Offer.Kind: String] = [
        .location: "New promise here…", .person: "New promise with…",
    ]

    private let context: PanelContext
    private let model: PromisesModel
    private let view = PromisePage()
    private let scroller: Scroller

    /// A panel that shows nothing before the window is connected.
    public init(context: PanelContext) {
        self.context = context
        model = PromisesModel(node: context.node, clock: context.clock)
        scroller = Scroller(view)
        model.onChange = { [weak self] in self?.show() }
        view.onMake = { [weak self] in self?.make() }
        view.onOpen = { [weak self] in self?.open($0) }
        view.onAction = { [weak self] in self?.perform($0, $1) }
        view.onMorePast = { [model] in Task { try? await model.askMorePast() } }
        show()
    }

    /// The page.
    public var page: Widget? { scroller }
    /// The queries to the node.
    public var queries: (any PanelQueries)? { model.queries }

    /// The location of the open promise and the people on the way there.
    public var mapLayer: MapLayer {
        model.state.promise.map {
            PromiseLayer.make(for: $0, people: model.state.people, passed: model.passed)
        } ?? MapLayer()
    }

    /// Shows the open promise on its page, for a click on its flag or its circle.
    public func open(_ item: MapItem) -> Bool {
        guard let promise = model.state.promise, item.id == promise.id.string else { return false }
        context.showPage()
        return true
    }

    /// The promises for which the others see the user's location, and those that ask whether they
    /// may.
    public var bars: [PanelBar] {
        let open = model.state.open
        let questions = open.filter { $0.sharing == .unconfirmed }.prefix(Self.questionsCountMax)
        return (open.filter { $0.sharing != .unconfirmed } + questions).compactMap { promise in
            PromiseText.bar(about: promise).map { title, detail in
                PanelBar(
                    id: promise.id.string, icon: "find-location-symbolic", title: title,
                    detail: detail, answers: answers(to: promise))
            }
        }
    }

    /// The number of questions in bars at most; the page has the others.
    private static let questionsCountMax = 2

    private func answers(to promise: PromiseSummary) -> [PanelAction] {
        guard promise.sharing == .unconfirmed else {
            return [
                PanelAction(PromiseAction.stop.rawValue) { [weak self] in
                    self?.perform(.stop, promise)
                }
            ]
        }
        return [
            PanelAction("Leave…") { [weak self] in self?.askToLeave(promise.id) },
            PanelAction(PromiseAction.confirm.rawValue, isSuggested: true) { [weak self] in
                self?.perform(.confirm, promise)
            },
        ]
    }

    /// Opens a promise on the page, which asks whether to leave it.
    private func askToLeave(_ id: Key) {
        if model.state.selected != id { open(id) }
        context.showPage()
        view.ask(.leave)
    }

    /// Shows the ages of the locations while a promise is tracked.
    public func update() {
        if model.state.promise?.phase == .tracking { showPeople() }
    }

    /// Queries the ledger again, which may change while nothing else does.
    public func didShow() { model.queries.askAgain([.ledger]) }

    private func show() {
        view.show(model.state)
        showPeople()
        context.changed()
    }

    private func showPeople() {
        view.show(
            model.state.people, of: model.state.promise, passed: model.passed,
            now: context.clock.nodeTime)
    }

    private func open(_ id: Key) {
        view.setFault(nil)
        model.toggle(id)
    }

    private func perform(_ action: PromiseAction, _ promise: PromiseSummary) {
        guard action != .change else { return change(promise) }
        Task { [model, view] in
            do {
                try await model.perform(action, promise)
                view.setFault(nil)
            } catch {
                view.setFault(CommandFault(error).sentence)
            }
        }
    }

    /// Whether there is a mate who can be asked; a person must be one.
    public func canAccept(_ offer: Offer) -> Bool {
        if case .person(let person) = offer { return context.people.isMate(person) }
        return context.people.hasMates
    }

    /// Opens the sheet that makes a promise at a location, or with a mate.
    public func accept(_ offer: Offer) {
        switch offer {
        case .location(let location, let name):
            let point = MeetingPoint(offered: location, name: name)
            var form = PromiseForm(at: location)
            form.locationName = name ?? ""
            present(form, "Meet at \(point.text) (\(location.text)).")
        case .person(let person):
            let mate = context.people.mates.first { $0.person == person }
            let point = context.meetingPoint(with: mate?.location?.coordinate)
            var form = PromiseForm(at: point.coordinate)
            form.people = [person]
            present(form, "Meet at \(point.text).")
        case .track, .photo, .date, .device: break
        }
    }

    /// Opens the sheet that makes a promise.
    private func make() {
        let point = context.meetingPoint()
        present(PromiseForm(at: point.coordinate), "Meet at \(point.text).")
    }

    /// Opens the sheet that changes a promise of mine and asks more mates to it.
    private func change(_ promise: PromiseSummary) {
        let form = PromiseForm(
            changing: promise, people: model.state.people, chosen: context.map.chosen)
        let way =
            form.original?.chosen == nil ? " To move it, choose a point on the map first." : ""
        present(form, "Those who take part are told what has changed.\(way)")
    }

    private func present(_ form: PromiseForm, _ words: String) {
        let sheet = PromiseSheet(
            node: context.node, form: form, words: words, mates: context.people.mates,
            clock: context.clock)
        sheet.onDone = { [context, weak sheet] isSent in
            sheet.map(context.dismiss)
            if isSent { context.showPage() }
        }
        context.present(sheet)
        sheet.focusFirst()
    }
}

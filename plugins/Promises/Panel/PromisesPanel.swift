import Contract
import ControlAPI
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

    /// Opens the sheet that makes a promise.
    private func make() {
        let point = context.meetingPoint()
        present(PromiseForm(at: point.coordinate), "Meet at \(point.words).")
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
        sheet.onDone = { [context, weak sheet] in sheet.map(context.dismiss) }
        context.present(sheet)
        sheet.focusFirst()
    }
}

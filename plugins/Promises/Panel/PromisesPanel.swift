public import ControlAPI
public import GtkKit

/// The window's part of promises: a page beside the map, what stands on the map while a promise is
/// open, and the sheet that makes one.
@MainActor
public final class PromisesPanel {
    /// The page.
    public var page: Widget { view }
    /// What lies over the window while ``isOpen``.
    public private(set) var sheet: Widget?
    /// Whether the sheet is asked for.
    public var isOpen: Bool { sheet != nil }
    /// Called when the sheet is to be shown or taken away.
    public var onOpenChange: @MainActor () -> Void = {}
    /// Called when something else is to stand on the map.
    public var onPlacesChange: @MainActor () -> Void = {}
    /// The point that was chosen on the map, in degrees north and east; asked when a promise of
    /// mine is to be changed.
    public var chosenPoint: @MainActor () -> (latitude: Double, longitude: Double)? = { nil }
    /// Called when somebody wants to make a promise; ``make(latitude:longitude:words:)`` answers.
    public var onMake: @MainActor () -> Void = {}

    private let node: any NodeConnection
    private let nowMs: @MainActor () -> Int64
    private let view = PromisePage()
    private var state = PromisesState()
    private var peopleTakenAt = Duration.zero
    private var ticker: Ticker?
    private var isAsking = false
    private var isStale = false

    /// A panel that talks to `node`; it shows nothing before ``refresh()``.
    /// - Parameter nowMs: the node's time in milliseconds since 1970.
    public init(node: any NodeConnection, nowMs: @escaping @MainActor () -> Int64) {
        self.node = node
        self.nowMs = nowMs
        view.onMake = { [weak self] in self?.onMake() }
        view.onOpen = { [weak self] in self?.open($0) }
        view.onAction = { [weak self] in self?.perform($0, $1) }
        view.onMorePast = { [weak self] in self?.askMorePast() }
    }

    /// What stands on the map now: the open promise's place and who is on the way there.
    public var places: [PromisePlace] {
        guard let promise = state.promise else { return [] }
        return PromisePlace.all(of: promise, people: state.people, passed: passed)
    }

    private var passed: Int64 { max(0, (MainLoop.now - peopleTakenAt).components.seconds) }

    /// Asks the node for everything that is shown. Asked again meanwhile, it asks once more.
    public func refresh() async {
        isStale = true
        guard !isAsking else { return }
        isAsking = true
        defer { isAsking = false }
        while isStale {
            isStale = false
            await ask()
        }
        show()
    }

    private func ask() async {
        guard let open = try? await node.get("promise/list", as: PromiseList.self) else { return }
        state.open = open.promises
        state.today = try? await node.get("promise/today", as: PromiseToday.self)
        let ledger = try? await node.get("promise/ledger", as: LedgerList.self)
        state.ledger = ledger?.people ?? []
        await askPeople()
    }

    private func askPeople() async {
        guard let id = state.selected else {
            state.people = []
            return
        }
        let shown = try? await node.get(
            "promise/show", query: ["promise": id], as: PromisePeople.self)
        guard state.selected == id else { return }
        state.people = PromisePerson.inOrder(shown?.people ?? [])
        peopleTakenAt = MainLoop.now
    }

    /// Asks again what an event says has changed.
    public func receive(_ event: NodeEvent) async {
        switch event.topic {
        case "promise", "mates", "open", "lost": await refresh()
        case "location": if state.selected != nil { await refresh() }
        default: break
        }
    }

    /// Opens the sheet that makes a promise at a place, which is named in words too.
    public func make(latitude: Double, longitude: Double, words: String) {
        show(
            PromiseSheet(
                node: node, form: PromiseForm(latitude: latitude, longitude: longitude),
                words: "Meet at \(words).", nowMs: nowMs))
    }

    /// Opens the sheet that changes a promise of mine and asks more mates to it.
    private func change(_ promise: PromiseSummary) {
        let chosen = chosenPoint().map {
            PromiseForm.Place(latitude: $0.latitude, longitude: $0.longitude)
        }
        let form = PromiseForm(changing: promise, people: state.people, chosen: chosen)
        let way =
            form.original?.chosen == nil ? " To move it, choose a point on the map first." : ""
        show(
            PromiseSheet(
                node: node, form: form,
                words: "Those who take part are told what has changed.\(way)", nowMs: nowMs))
    }

    private func show(_ sheet: PromiseSheet) {
        sheet.onDone = { [weak self] in self?.close() }
        self.sheet = sheet
        onOpenChange()
        sheet.focusFirst()
    }

    /// Takes the sheet away, as the Escape key does.
    public func close() {
        sheet = nil
        onOpenChange()
    }

    private func open(_ id: String) {
        state.selected = state.selected == id ? nil : id
        state.people = []
        view.setFault(nil)
        Task { await refresh() }
    }

    private func show() {
        view.show(state)
        showPeople()
        ticker = state.promise?.phase == "tracking" ? ticker ?? makeTicker() : nil
    }

    private func showPeople() {
        view.show(state.people, of: state.promise, passed: passed, nowMs: nowMs())
        onPlacesChange()
    }

    private func makeTicker() -> Ticker {
        Ticker { [weak self] in self?.showPeople() }
    }

    private func perform(_ action: PromiseAction, _ promise: PromiseSummary) {
        guard action != .change else { return change(promise) }
        Task {
            do {
                try await node.post(
                    "promise/\(action.verb)", PromiseReference(promise: promise.id))
                view.setFault(nil)
            } catch {
                view.setFault(String(describing: error))
            }
            await refresh()
        }
    }

    private func askMorePast() {
        Task {
            var query = ["past": "true"]
            query["cursor"] = state.nextPast
            guard
                let page = try? await node.get("promise/list", query: query, as: PromiseList.self)
            else { return }
            let known = Set(state.past.map(\.id))
            state.past += page.promises.filter { !known.contains($0.id) }
            state.nextPast = page.next
            state.hasAskedPast = true
            show()
        }
    }
}

import Contract
import ControlAPI
import FeaturesAPI
import PanelKit
import PromisesAPI

/// The panel's knowledge of promises, and its queries to the node.
@MainActor
final class PromisesModel {
    /// A query of the panel, in the order in which they are asked.
    enum Query: CaseIterable, Sendable {
        /// The promises that are not over.
        case list
        /// The people who see the user's location.
        case viewers
        /// The people of the open promise, or its result if it is past.
        case people
        /// Today's promises.
        case today
        /// Everybody's debts.
        case ledger
    }

    /// Called when another state is to be shown.
    var onChange: @MainActor () -> Void = {}
    /// The promises that the node reported last.
    private(set) var state = PromisesState()
    /// The queries that are repeated after an event. Each part of a promise is shown by some of
    /// them, and people are shown of the open promise only.
    private(set) lazy var queries = StaleQueries<Query>(
        .after(PromiseEvents.changed, .list) { $0.concerns(.plan, .attendance) },
        .after(PromiseEvents.changed, .viewers) { $0.concerns(.plan, .attendance) },
        .after(PromiseEvents.changed, .people) { [weak self] in
            $0.concerns(.plan, .attendance, .locations) && self?.shows($0.promise) ?? false
        },
        .after(PromiseEvents.changed, .today) { $0.concerns(.plan) },
        .after(PromiseEvents.changed, .ledger) { $0.concerns(.ledger) },
        // All of them show names.
        .after(MateEvents.changed, .list, .viewers, .people, .ledger) { $0.concernsNames },
        .after(LocationEvents.changed, .people) { $0.concernsMe }
    ) { [weak self] in try await self?.ask($0) }

    private let node: any NodeConnection
    private let clock: PanelClock
    private var peopleReceivedAt = Duration.zero

    /// A model that knows nothing before its queries are asked.
    init(node: any NodeConnection, clock: PanelClock) {
        self.node = node
        self.clock = clock
        queries.onSettled = { [weak self] in self?.onChange() }
    }

    /// The time since the node reported the people.
    var passed: Duration { max(.zero, clock.now - peopleReceivedAt) }

    /// Whether the open promise is this one; with nil, whether any is open.
    private func shows(_ promise: Key?) -> Bool {
        state.selected != nil && (promise ?? state.selected) == state.selected
    }

    /// Opens a promise.
    func open(_ id: Key) {
        guard state.promise?.id != id else { return }
        state.selected = id
        state.people = []
        state.result = nil
        queries.askAgain([.people])
        onChange()
    }

    /// Closes the open promise.
    func close() {
        state.selected = nil
        state.people = []
        state.result = nil
        onChange()
    }

    /// Performs an action on a promise; the node's event then says what to query again.
    /// ``PromiseSheet`` makes changes to a promise, not this function.
    func perform(_ action: PromiseAction, _ promise: PromiseSummary) async throws {
        let reference = PromiseReference(promise: NameOrKey(promise.id))
        let agreement = AgreeToPromise(promise: NameOrKey(promise.id), atMs: promise.atMs)
        switch action {
        case .accept: _ = try await node.call(PromiseCommands.accept, agreement)
        case .confirm: _ = try await node.call(PromiseCommands.confirm, agreement)
        case .decline, .leave: _ = try await node.call(PromiseCommands.leave, reference)
        case .delete: _ = try await node.call(PromiseCommands.delete, reference)
        case .share: _ = try await node.call(PromiseCommands.share, reference)
        case .stop: _ = try await node.call(PromiseCommands.stop, reference)
        case .change: break
        }
    }

    /// Asks for the next page of past promises.
    func askMorePast() async throws {
        let page = try await node.call(
            PromiseCommands.list, ListPromises(past: true, cursor: state.nextPast))
        let known = Set(state.past.map(\.id))
        state.past += page.promises.filter { !known.contains($0.id) }
        state.nextPast = page.next
        state.hasAskedPast = true
        onChange()
    }

    private func ask(_ query: Query) async throws {
        switch query {
        case .list:
            state.open = try await node.call(PromiseCommands.list, ListPromises()).promises
        case .viewers: try await askViewers()
        case .people: try await askPeople()
        case .today: state.today = try await node.call(PromiseCommands.today)
        case .ledger:
            let ledger = try await node.call(PromiseCommands.ledger)
            (state.ledger, state.debts) = (ledger.people, ledger.debts)
        }
    }

    private func askViewers() async throws {
        var viewers: [Key: [PromisePerson]] = [:]
        for promise in state.open where promise.sharing.isForOthers {
            let reference = PromiseReference(promise: NameOrKey(promise.id))
            viewers[promise.id] = try await node.call(PromiseCommands.show, reference).people
                .filter { $0.state == .member && !$0.me }
                .sorted { ($0.name.string, $0.person) < ($1.name.string, $1.person) }
        }
        state.viewers = viewers
    }

    private func askPeople() async throws {
        guard let id = state.selected else { return }
        let reference = PromiseReference(promise: NameOrKey(id))
        if state.promise == nil {
            let found = try await node.call(PromiseCommands.show, reference).summary
            guard state.selected == id else { return }
            guard found.isShown else { return close() }
            state.found = found
        }
        if state.promise?.phase == .past {
            let result = try await node.call(PromiseCommands.result, reference)
            if state.selected == id { state.result = result }
            return
        }
        let shown = try await node.call(PromiseCommands.show, reference)
        guard state.selected == id else { return }
        state.people = shown.people.inOrderOfArrival
        peopleReceivedAt = clock.now
    }
}

extension [PromisePerson] {
    /// The people who arrived, in that order, then the others by name.
    var inOrderOfArrival: [PromisePerson] {
        sorted {
            ($0.rank?.value ?? .max, $0.name.string, $0.person)
                < ($1.rank?.value ?? .max, $1.name.string, $1.person)
        }
    }
}

extension PromiseSharing {
    /// Whether the others see the user's location, or will as soon as it is known.
    var isForOthers: Bool {
        switch self {
        case .sharing, .searching, .elsewhere: true
        case .idle, .outside, .stopped, .interrupted, .arrived, .unconfirmed, .unknown: false
        }
    }
}

extension PromiseSummary {
    /// Whether it has a page for this user: not if it was called off, or the user does not take
    /// part before it is past.
    fileprivate var isShown: Bool {
        phase == .past || phase != .deleted && (state == .member || state == .invited)
    }
}

internal import Links
internal import Records
internal import Sync
internal import Synchronization

/// Observes every location that leaves a node, and reports those that should not.
final class LocationWatch: Sendable {
    private struct Sent {
        /// The promise and the number of its time changes: after a change a person sets out again.
        let promise: String
        let run: Int
    }

    private struct State {
        /// The runs of each person's node that showed them for a promise while only one was active.
        var shown: [PersonID: [Sent]] = [:]
    }

    private let world: World
    private let people: [SimulatedPerson]
    private let book: DayBook
    private let state = Mutex(State())

    init(_ people: [SimulatedPerson], _ book: DayBook, in world: World) {
        self.people = people
        self.book = book
        self.world = world
        world.network.watch { [weak self] frame, place in self?.inspect(frame, from: place) }
    }

    private func inspect(_ frame: Frame, from place: Place) {
        // The frame type EPHEMERAL.
        guard frame.type == 8, let person = people.first(where: { $0.node.place == place }),
            case .ephemeral(let message)? = try? Message(
                type: frame.type, payload: frame.payload, sender: person.node.device),
            // A version byte, then 1 for a location.
            message.topic == "promise", message.body.starts(with: [1, 1])
        else { return }
        world.count("locations")
        check(person)
    }

    /// Permits that a person sets out again, because an older home was restored.
    func forget(_ person: PersonID) { state.withLock { $0.shown[person] = nil } }

    private func check(_ person: SimulatedPerson) {
        let run = person.node.runCount
        let (on, isAsked) = book.with { state in
            (Self.on(person.id, state, at: world.now), state.shares[person.id]?.contains(run))
        }
        guard !on.isEmpty else {
            return world.violated("\(person.node.name) shows where it is outside of every promise")
        }
        guard let promise = on.first, on.count == 1 else { return }
        let isInterrupted = state.withLock { state in
            let before = state.shown[person.id, default: []]
            if !before.contains(where: { $0.promise == promise && $0.run == run }) {
                state.shown[person.id, default: []].append(Sent(promise: promise, run: run))
            }
            return before.contains { $0.promise == promise && $0.run != run }
        }
        if isInterrupted, isAsked != true {
            world.violated("\(person.node.name) is shown after a restart without being asked")
        }
    }

    /// Returns the promises that a person may take part in and that may be active at a moment, by
    /// any clock and any time to which this person ever agreed. A node that was cut off does not
    /// know of cancelled promises.
    private static func on(
        _ person: PersonID, _ state: DayBook.State, at now: Timestamp
    ) -> [String] {
        let slack = state.skew + .seconds(1)
        func isOn(_ at: Timestamp) -> Bool {
            now >= at - PromiseArithmetic.trackingLead - slack
                && now < at + PromiseArithmetic.pastDelay + slack
        }
        let known = state.promises.values.filter { promise in
            promise.standings[person]?.values.contains(.member) == true
                && promise.agreed(by: person).contains(where: isOn)
        }
        let possible = state.possible[person, default: []].filter(isOn)
        return known.map { "\($0.id) \($0.everAt.count)" }.sorted()
            + possible.map { "made for \($0)" }
    }
}

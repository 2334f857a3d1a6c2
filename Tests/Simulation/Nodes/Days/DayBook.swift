internal import Records
internal import Synchronization

/// What the people of some days did and were told, outside of all nodes.
final class DayBook: Sendable {
    /// How somebody stands to a promise.
    enum Standing: Hashable, Sendable { case invited, member, left }

    /// A promise somebody made.
    struct Promise: Sendable {
        let id: String
        let maker: PersonID
        let place: Spot
        var atMs: Told<Int64>
        var penalty: Told<Int64>
        var isDeleted = Told(false)
        var standings: [PersonID: Told<Standing>] = [:]
        /// Every time it ever may have had: who was cut off knows no later one.
        var everAtMs: Set<Int64>

        /// What somebody did about it may be gone.
        mutating func doubt(_ person: PersonID) {
            standings[person]?.doubt([.invited, .member, .left])
            guard person == maker else { return }
            atMs.doubt(everAtMs.sorted())
            penalty.doubt(Resident.penalties)
            isDeleted.doubt([true, false])
        }
    }

    /// A message somebody wrote.
    struct Said: Sendable {
        let text: String
        let room: String
        let author: PersonID
        /// Nil where nobody learnt whether it was stored.
        var id: String?
        /// The message its author saw last before.
        let after: String?
        var isErased = Told(false)
    }

    /// A position that a track or a person was about to report.
    struct Fix: Sendable {
        let atMs: Int64
        let spot: Spot
        let isByHand: Bool
    }

    /// When somebody is known to have arrived, since nothing came between.
    struct Arrival: Sendable {
        let promise: String
        let person: PersonID
        let atMs: ClosedRange<Int64>
    }

    struct State {
        var promises: [String: Promise] = [:]
        /// Times of promises of which nobody learnt whether they were made.
        var possible: [PersonID: [Int64]] = [:]
        var messages: [Said] = []
        var hidden: [PersonID: [String: Told<Bool>]] = [:]
        /// Messages somebody has read for sure, and such as they may have.
        var read: [PersonID: Set<String>] = [:]
        var maybeRead: [PersonID: Set<String>] = [:]
        var fixes: [PersonID: [Fix]] = [:]
        var arrivals: [Arrival] = []
        /// In which runs of their node somebody said that they want to be shown.
        var shares: [PersonID: Set<Int>] = [:]
        /// The largest offset of any clock so far, in milliseconds.
        var skewMs: Int64 = 0
        /// The last time a promise may have, so that all are past at the end.
        var lastTimeMs: Int64 = 0
    }

    private let state = Mutex(State())

    /// Reads or changes all of it.
    func with<Outcome: Sendable>(_ work: (inout sending State) -> Outcome) -> Outcome {
        state.withLock { work(&$0) }
    }

    /// A promise by its id.
    func promise(_ id: String) -> Promise? { state.withLock { $0.promises[id] } }

    /// An older home was put back under somebody's node: what they did since may be gone, for a
    /// while or for good.
    func doubt(_ person: PersonID) {
        state.withLock { state in
            for index in state.messages.indices where state.messages[index].author == person {
                state.messages[index].isErased.doubt([true, false])
            }
            for message in (state.hidden[person] ?? [:]).keys {
                state.hidden[person]?[message]?.doubt([true, false])
            }
            state.maybeRead[person, default: []].formUnion(state.read[person] ?? [])
            state.read[person] = nil
            for id in state.promises.keys { state.promises[id]?.doubt(person) }
            let promises = state.promises
            state.arrivals.removeAll {
                $0.person == person || promises[$0.promise]?.maker == person
            }
        }
    }

    /// The promises in which somebody may be.
    func promises(of person: PersonID, as standing: Standing) -> [Promise] {
        state.withLock { state in
            state.promises.values
                .filter { $0.standings[person]?.values.contains(standing) == true }
                .sorted { $0.id < $1.id }
        }
    }
}

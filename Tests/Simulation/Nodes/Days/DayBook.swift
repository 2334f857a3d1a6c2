internal import Records
internal import Synchronization

/// A record of people's actions and their answers, kept outside of all nodes.
final class DayBook: Sendable {
    /// A person's relation to a promise.
    enum Standing: Hashable, Sendable { case invited, member, left }

    /// A promise that a person made.
    struct Promise: Sendable {
        let id: String
        let maker: PersonID
        let location: Spot
        var at: Told<Timestamp>
        var penalty: Told<Int64>
        var isDeleted = Told(false)
        var standings: [PersonID: Told<Standing>] = [:]
        /// Every time that it may ever have had; a node that was cut off knows only older ones.
        var everAt: Set<Timestamp>
        /// The times to which each participant may ever have agreed.
        var agreedAt: [PersonID: Set<Timestamp>] = [:]

        /// The times for which a person may be shown: the maker agrees to each time by setting it.
        func agreed(by person: PersonID) -> Set<Timestamp> {
            person == maker ? everAt : agreedAt[person] ?? []
        }

        /// Marks a person's actions as possibly lost.
        mutating func doubt(_ person: PersonID) {
            standings[person]?.doubt([.invited, .member, .left])
            guard person == maker else { return }
            at.doubt(everAt.sorted())
            penalty.doubt(Resident.penalties)
            isDeleted.doubt([true, false])
        }
    }

    /// A message that a person wrote.
    struct Message: Sendable {
        let text: String
        let room: String
        let author: PersonID
        /// The message's id; nil if it is not known whether it was stored.
        var id: String?
        /// The last message that its author had seen.
        let after: String?
        var isErased = Told(false)
    }

    /// A location that a track or a person was about to report.
    struct Fix: Sendable {
        let at: Timestamp
        let spot: Spot
        let isByHand: Bool
    }

    /// A known arrival, because nothing interfered.
    struct Arrival: Sendable {
        let promise: String
        let person: PersonID
        let at: ClosedRange<Timestamp>
    }

    struct State {
        var promises: [String: Promise] = [:]
        /// Times of promises that may have been made, but were not acknowledged.
        var possible: [PersonID: [Timestamp]] = [:]
        var messages: [Message] = []
        var hidden: [PersonID: [String: Told<Bool>]] = [:]
        /// The messages that a person has certainly read, and those they may have read.
        var read: [PersonID: Set<String>] = [:]
        var maybeRead: [PersonID: Set<String>] = [:]
        var fixes: [PersonID: [Fix]] = [:]
        var arrivals: [Arrival] = []
        /// The coordinates of the starting points that were in people's records.
        var departures: Set<Double> = []
        /// The runs of a person's node in which they chose to be shown.
        var shares: [PersonID: Set<Int>] = [:]
        /// The largest error of any clock so far.
        var skew = Duration.zero
        /// The last permitted time of a promise, so that all are past at the end.
        var lastTime = Timestamp.min
    }

    private let state = Mutex(State())

    /// Reads or changes the whole state.
    func with<Outcome: Sendable>(_ work: (inout sending State) -> Outcome) -> Outcome {
        state.withLock { work(&$0) }
    }

    /// Returns a promise by its id.
    func promise(_ id: String) -> Promise? { state.withLock { $0.promises[id] } }

    /// Marks a person's actions as possibly lost, because an older home was restored on their node.
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

    /// Returns the promises to which a person may have a relation.
    func promises(of person: PersonID, as standing: Standing) -> [Promise] {
        state.withLock { state in
            state.promises.values
                .filter { $0.standings[person]?.values.contains(standing) == true }
                .sorted { $0.id < $1.id }
        }
    }
}

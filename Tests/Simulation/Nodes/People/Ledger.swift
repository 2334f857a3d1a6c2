internal import PluginKit
internal import Records
internal import Replica
internal import Synchronization

/// What one person was told is done. It stands outside the node and survives its crashes.
final class Ledger: Sendable {
    /// How far one of the person's own logs reached when a command was acknowledged.
    struct Mark: Hashable {
        let space: SpaceID
        let number: UInt64
        let hash: BatchHash
    }

    private struct State {
        var marks: [SpaceID: Mark] = [:]
        var profile: [String: [JSONValue]] = [:]
        var walks: Set<String> = []
        var answers: [String: String] = [:]
        var accepted: Set<PersonID> = []
        var sealed: [PersonID: [SpaceID: [DeviceID: UInt64]]] = [:]
        var isVoid = false
    }

    private let state = Mutex(State())

    /// The node was put back to an earlier state: what it lost was nobody's fault, and what its
    /// person had decided since is forgotten too.
    func void() {
        state.withLock { state in
            state = State(accepted: state.accepted, isVoid: true)
        }
    }

    /// Whether the node was ever put back to an earlier state.
    var isVoid: Bool { state.withLock { $0.isVoid } }

    // MARK: - Logs

    /// Notes how far the own logs reach now that something was acknowledged.
    func mark(_ marks: [Mark]) {
        state.withLock { state in
            for mark in marks where mark.number >= (state.marks[mark.space]?.number ?? 0) {
                state.marks[mark.space] = mark
            }
        }
    }

    /// The furthest marks, which no crash takes back.
    var marks: [Mark] { state.withLock { $0.marks.values.sorted { $0.space < $1.space } } }

    // MARK: - Profile

    /// A field is about to be given a value: until the answer comes it may hold either.
    func attempt(_ fields: [String: JSONValue]) {
        state.withLock { state in
            for (name, value) in fields { state.profile[name, default: [.null]].append(value) }
        }
    }

    /// A field was given a value.
    func settle(_ fields: [String: JSONValue]) {
        state.withLock { state in
            for (name, value) in fields { state.profile[name] = [value] }
        }
    }

    /// What each field of the profile may hold.
    var profile: [String: [JSONValue]] { state.withLock { $0.profile } }

    // MARK: - Walks

    /// A request was acknowledged.
    func asked(_ walk: String) { state.withLock { _ = $0.walks.insert(walk) } }
    /// An answer was acknowledged.
    func answered(_ walk: String, _ answer: String) { state.withLock { $0.answers[walk] = answer } }
    /// Requests that are there for good.
    var walks: [String] { state.withLock { $0.walks.sorted() } }
    /// Answers that are there for good.
    var answers: [String: String] { state.withLock { $0.answers } }

    // MARK: - Who may see what

    /// The person is about to accept somebody's card: from now on theirs may go to them.
    func accepts(_ person: PersonID) {
        state.withLock { state in
            state.accepted.insert(person)
            state.sealed[person] = nil
        }
    }

    /// The person ended what was shared with somebody, whose copies reach this far at most. A node
    /// that was put back to an earlier state does not know how far they reach.
    func seals(_ person: PersonID, _ reaches: [SpaceID: [DeviceID: UInt64]]) {
        state.withLock { state in
            if !state.isVoid { state.sealed[person] = reaches }
        }
    }

    /// The person lets somebody in again, to whom a space goes on from here.
    func unseals(_ person: PersonID, _ space: SpaceID) {
        state.withLock { $0.sealed[person]?[space] = nil }
    }

    /// Everybody whose card was ever accepted.
    var accepted: Set<PersonID> { state.withLock { $0.accepted } }
    /// How far others' copies may reach.
    var sealed: [PersonID: [SpaceID: [DeviceID: UInt64]]] { state.withLock { $0.sealed } }
}

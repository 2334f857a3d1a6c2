internal import FeaturesAPI
internal import PluginKit
internal import Records
internal import Replica
internal import Synchronization

/// The acknowledged actions of one person, kept outside of the node, so that they survive its
/// crashes.
final class Ledger: Sendable {
    /// The end of one of the person's own logs when a command was acknowledged.
    struct Mark: Hashable {
        let space: SpaceID
        let number: UInt64
        let hash: BatchHash
    }

    /// An answer to a walk request, and the person who asked.
    struct Answered {
        let answer: String
        let asker: PersonID
    }

    private struct State {
        var marks: [SpaceID: Mark] = [:]
        var profile: [String: [JSONValue]] = [:]
        var walks: Set<String> = []
        var answers: [String: Answered] = [:]
        var accepted: Set<PersonID> = []
        var sealed: [PersonID: [SpaceID: [DeviceID: UInt64]]] = [:]
        /// The ends of logs at other devices of the person when each knew of a parting.
        var known: [PersonID: [SpaceID: [Place: [DeviceID: UInt64]]]] = [:]
        var isVoid = false
    }

    private let state = Mutex(State())

    /// Records that the node was restored to an earlier state: its losses are expected, and the
    /// person's later decisions are forgotten.
    func void() {
        state.withLock { state in
            state = State(accepted: state.accepted, isVoid: true)
        }
    }

    /// Whether the node was ever restored to an earlier state.
    var isVoid: Bool { state.withLock { $0.isVoid } }

    // MARK: - Logs

    /// Records the ends of the own logs after an acknowledgement.
    func mark(_ marks: [Mark]) {
        state.withLock { state in
            for mark in marks where mark.number >= (state.marks[mark.space]?.number ?? 0) {
                state.marks[mark.space] = mark
            }
        }
    }

    /// The furthest recorded ends, which must survive every crash.
    var marks: [Mark] { state.withLock { $0.marks.values.sorted { $0.space < $1.space } } }

    // MARK: - Profile

    /// Adds values that a command is about to set; until the answer a field may have either.
    func attempt(_ edit: EditProfile) {
        state.withLock { state in
            for (name, value) in Self.fields(of: edit) {
                state.profile[name, default: [.null]].append(value)
            }
        }
    }

    /// Records that fields were set.
    func settle(_ edit: EditProfile) {
        state.withLock { state in
            for (name, value) in Self.fields(of: edit) { state.profile[name] = [value] }
        }
    }

    /// Returns the fields that an edit sets, by their names in JSON, which are those of the answer.
    private static func fields(of edit: EditProfile) -> [String: JSONValue] {
        if case .object(let fields) = JSONValue(encoding: edit) { fields } else { [:] }
    }

    /// The possible values of each profile field.
    var profile: [String: [JSONValue]] { state.withLock { $0.profile } }

    // MARK: - Walks

    /// Records an acknowledged request.
    func asked(_ walk: String) { state.withLock { _ = $0.walks.insert(walk) } }
    /// Records an acknowledged answer.
    func answered(_ walk: String, of asker: PersonID, _ answer: String) {
        state.withLock { $0.answers[walk] = Answered(answer: answer, asker: asker) }
    }
    /// The requests that must persist.
    var walks: [String] { state.withLock { $0.walks.sorted() } }
    /// The answers that must persist.
    var answers: [String: Answered] { state.withLock { $0.answers } }

    // MARK: - Who may see what

    /// Records that the person is about to accept a card, so that their own card may be sent to
    /// that person.
    func accepts(_ person: PersonID) {
        state.withLock { state in
            state.accepted.insert(person)
            (state.sealed[person], state.known[person]) = (nil, nil)
        }
    }

    /// Records that the person stopped sharing with another, whose copies reach at most this far. A
    /// node that was restored to an earlier state does not know their ends.
    func seals(_ person: PersonID, _ reaches: [SpaceID: [DeviceID: UInt64]]) {
        state.withLock { state in
            guard !state.isVoid else { return }
            (state.sealed[person], state.known[person]) = (reaches, nil)
        }
    }

    /// Records that another device of the person knows of the parting. Its logs reach at most this
    /// far.
    func learns(
        _ place: Place, partedFrom person: PersonID, _ space: SpaceID,
        _ reaches: [DeviceID: UInt64]
    ) {
        state.withLock { $0.known[person, default: [:]][space, default: [:]][place] = reaches }
    }

    /// Returns how far another device's logs of a space reached when it knew of a parting; nil if
    /// it does not know yet.
    func known(
        at place: Place, partedFrom person: PersonID, _ space: SpaceID
    ) -> [DeviceID: UInt64]? {
        state.withLock { $0.known[person]?[space]?[place] }
    }

    /// Records that the person shares with another again, to whom the space continues from here.
    func unseals(_ person: PersonID, _ space: SpaceID) {
        state.withLock { state in
            state.sealed[person]?[space] = nil
            state.known[person]?[space] = nil
        }
    }

    /// Everyone whose card was ever accepted.
    var accepted: Set<PersonID> { state.withLock { $0.accepted } }
    /// The limits of others' copies.
    var sealed: [PersonID: [SpaceID: [DeviceID: UInt64]]] { state.withLock { $0.sealed } }
}

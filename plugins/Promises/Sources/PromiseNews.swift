internal import PluginKit
internal import PromisesAPI

/// The state of the current promises that followers were last told about. Comparing it with the
/// present state shows which parts of which promise followers have to query again.
struct PromiseNews: Sendable {
    /// The parts of one promise that followers see, so far as they can change.
    struct Seen: Hashable, Sendable {
        let promise: Promise
        let phase: PromisePhase
        /// My relation to it.
        let mine: PromiseMembership?
        /// Whether its time has not come.
        let isAhead: Bool
        let isAgreed: Bool
        let sharing: PromiseSharing
        /// The debts and standings that follow from it.
        let ledger: Ledger
        /// The people whose location is known and fresh.
        let located: Set<PersonID>
    }

    private var seen: [SpaceID: Seen] = [:]
    /// The promises for which locations have arrived or were withdrawn.
    private var moved: Set<SpaceID> = []
    /// The promises with changed records, current or past.
    private var changed: Set<SpaceID> = []

    /// Records that a person's location for a promise has arrived or was withdrawn.
    mutating func recordMove(in promise: SpaceID) { moved.insert(promise) }

    /// Notices a changed record of a promise, which may be past.
    mutating func recordChange(of promise: SpaceID) { changed.insert(promise) }

    /// Whether the people whose location is known differ from those that followers know.
    func differs(fromLocated located: [SpaceID: Set<PersonID>]) -> Bool {
        located.contains { seen[$0.key]?.located != $0.value }
    }

    /// Returns what has changed since the last call, one change for each promise.
    mutating func removeChanges(until present: [SpaceID: Seen]) -> [PromiseChange] {
        defer {
            seen = present
            (moved, changed) = ([], [])
        }
        let ids = changed.union(seen.keys).union(present.keys)
        return ids.sorted().compactMap { id in
            let parts = parts(of: id, now: present[id])
            return parts.isEmpty ? nil : PromiseChange(promise: Key(id), parts: parts)
        }
    }

    private func parts(of id: SpaceID, now: Seen?) -> [PromiseChange.Part] {
        // A promise that is not current is past, or this person is no longer in it.
        guard let now else { return [.plan, .attendance, .ledger] }
        guard let before = seen[id] else { return [.plan, .attendance, .locations, .ledger] }
        let hasSamePlan = now.hasSamePlan(as: before)
        let hasDebts = !(before.ledger.debts + now.ledger.debts).isEmpty
        let changes: [(PromiseChange.Part, Bool)] = [
            (.plan, !hasSamePlan), (.attendance, !now.hasSameAttendance(as: before)),
            (.locations, moved.contains(id) || now.located != before.located),
            // The ledger also shows the title and the time of each debt.
            (.ledger, now.ledger != before.ledger || hasDebts && !hasSamePlan),
        ]
        return changes.filter(\.1).map(\.0)
    }
}

extension PromiseNews.Seen {
    fileprivate func hasSamePlan(as other: Self) -> Bool {
        promise.hasSameTerms(as: other.promise) && promise.isDeleted == other.promise.isDeleted
            && phase == other.phase && isAhead == other.isAhead && mine == other.mine
    }

    fileprivate func hasSameAttendance(as other: Self) -> Bool {
        promise.people == other.promise.people && isAgreed == other.isAgreed
            && sharing == other.sharing
    }
}

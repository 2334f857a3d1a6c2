internal import PluginKit
internal import PromisesAPI

/// The debts in potatoes and the share of promises that each person keeps. It is derived from
/// promises and arrivals, and is the same on every node that knows the same promises.
struct Ledger: Hashable, Sendable {
    /// One penalty.
    struct Debt: Hashable, Sendable {
        let promise: SpaceID
        let person: PersonID
        let potatoes: Int
    }

    /// The debts, newest promise first; those of one promise by key.
    let debts: [Debt]
    /// The standing of each person.
    let standings: [PersonID: Standing]

    /// The ledger at a moment of promises that are given newest first. A late arrival counts at
    /// once; a missing one counts once the promise is past.
    init(_ promises: [Promise], now: Timestamp) {
        var debts: [Debt] = []
        var pasts: [PersonID: Int] = [:]
        var lates: [PersonID: Int] = [:]
        for promise in promises where !promise.isDeleted {
            let isPast = promise.phase(now: now) == .past
            for participant in promise.participants {
                let isLate = promise.lateness(of: participant, now: now).isLate
                pasts[participant.person, default: 0] += isPast ? 1 : 0
                lates[participant.person, default: 0] += isPast && isLate ? 1 : 0
                guard isLate, promise.penalty > 0 else { continue }
                debts.append(
                    Debt(
                        promise: promise.id, person: participant.person,
                        potatoes: promise.penalty))
            }
        }
        self.debts = debts
        standings = pasts.reduce(into: [:]) { standings, past in
            standings[past.key] = Standing(
                pastCount: past.value, lateCount: lates[past.key] ?? 0)
        }
    }

    /// Returns the sum of a person's debts.
    func balance(of person: PersonID) -> Int {
        debts.lazy.filter { $0.person == person }.reduce(0) { $0 + $1.potatoes }
    }
}

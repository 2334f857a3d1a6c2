internal import PluginKit

/// Who owes how many potatoes, and who keeps how many promises: derived from what is promised and
/// who came when, the same on every node that knows the same promises.
struct Ledger: Hashable, Sendable {
    /// One penalty.
    struct Debt: Hashable, Sendable {
        let promise: SpaceID
        let person: PersonID
        let potatoes: Int64
    }

    /// Newest promise first, and of one promise by key.
    let debts: [Debt]
    /// How well each person keeps promises.
    let standings: [PersonID: Standing]

    /// The ledger of promises, newest first, at a moment in milliseconds since 1970. Who is late is
    /// known on arrival; who did not come, once the promise is past.
    init(_ promises: [Promise], nowMs: Int64) {
        var debts: [Debt] = []
        var pasts: [PersonID: Int] = [:]
        var lates: [PersonID: Int] = [:]
        for promise in promises where !promise.isDeleted {
            let isPast = promise.phase(nowMs: nowMs) == .past
            for participant in promise.participants {
                let isLate = promise.lateness(of: participant, nowMs: nowMs).isLate
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

    /// What a person owes in all.
    func balance(of person: PersonID) -> Int64 {
        debts.lazy.filter { $0.person == person }.reduce(0) { $0 + $1.potatoes }
    }
}

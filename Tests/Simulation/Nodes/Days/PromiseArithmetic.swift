internal import Records

/// A second implementation of the rules for outcomes, as simple as possible.
struct PromiseArithmetic {
    /// A promise and the arrivals of its people, in milliseconds since 1970.
    struct Facts: Hashable {
        let id: String
        let atMs: Int64
        let penalty: Int64
        let isDeleted: Bool
        let arrivedMs: [PersonID: Int64?]
    }

    /// One person's outcome of one promise.
    struct Outcome: Hashable {
        var lateness = "open"
        var earlySeconds: Int64?
        var rank: Int64?
        var medal: String?
        var owes: Int64 = 0
    }

    /// One person's outcome of all promises.
    struct Account: Hashable {
        var past: Int64 = 0
        var late: Int64 = 0
        var owes: Int64 = 0
        var keptPercent: Double?
    }

    static let trackingSeconds: Int64 = 1800
    static let pastSeconds: Int64 = 10_800

    static func phase(_ atMs: Int64, nowMs: Int64) -> String {
        let since = nowMs - atMs
        return since < -trackingSeconds * 1000
            ? "scheduled" : since < pastSeconds * 1000 ? "tracking" : "past"
    }

    /// Returns the outcomes of one past promise.
    static func outcomes(_ facts: Facts) -> [PersonID: Outcome] {
        let counted = facts.arrivedMs.compactMapValues { $0 }
            .filter { phase(facts.atMs, nowMs: $0.value) == "tracking" }
        let order = counted.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
        var outcomes: [PersonID: Outcome] = [:]
        for person in facts.arrivedMs.keys {
            var outcome = Outcome(lateness: "noShow")
            if let arrived = counted[person] {
                let early = facts.atMs - arrived
                outcome.lateness = early > 0 ? "early" : early > -60_000 ? "onTime" : "late"
                outcome.earlySeconds = early / 1000
                let rank = (order.firstIndex(of: person) ?? 0) + 1
                outcome.rank = Int64(rank)
                outcome.medal = rank > 3 ? nil : ["gold", "silver", "bronze"][rank - 1]
            }
            let isLate = outcome.lateness == "late" || outcome.lateness == "noShow"
            outcome.owes = isLate ? facts.penalty : 0
            outcomes[person] = outcome
        }
        return outcomes
    }

    /// Returns the accounts of all people after past promises.
    static func accounts(_ all: [Facts]) -> [PersonID: Account] {
        var accounts: [PersonID: Account] = [:]
        for facts in all where !facts.isDeleted {
            for (person, outcome) in outcomes(facts) {
                let isLate = outcome.lateness == "late" || outcome.lateness == "noShow"
                accounts[person, default: Account()].past += 1
                accounts[person, default: Account()].late += isLate ? 1 : 0
                accounts[person, default: Account()].owes += outcome.owes
            }
        }
        return accounts.mapValues { account in
            var account = account
            account.keptPercent = 100 - 100 * Double(account.late) / Double(account.past)
            return account
        }
    }
}

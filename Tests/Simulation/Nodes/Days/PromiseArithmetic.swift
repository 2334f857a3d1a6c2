internal import Records

/// A second implementation of the rules for outcomes, as simple as possible.
struct PromiseArithmetic {
    /// A promise and the arrivals of its people.
    struct Facts: Hashable {
        let id: String
        let at: Timestamp
        let penalty: Int64
        let isDeleted: Bool
        let arrivals: [PersonID: Timestamp?]
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

    /// The time before a promise from which on its people are tracked.
    static let trackingLead = Duration.seconds(1800)
    /// The time after a promise from which on it is past.
    static let pastDelay = Duration.seconds(10_800)

    static func phase(_ at: Timestamp, now: Timestamp) -> String {
        now < at - trackingLead ? "scheduled" : now < at + pastDelay ? "tracking" : "past"
    }

    /// Returns the outcomes of one past promise.
    static func outcomes(_ facts: Facts) -> [PersonID: Outcome] {
        let counted = facts.arrivals.compactMapValues { $0 }
            .filter { phase(facts.at, now: $0.value) == "tracking" }
        let order = counted.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
        var outcomes: [PersonID: Outcome] = [:]
        for person in facts.arrivals.keys {
            var outcome = Outcome(lateness: "noShow")
            if let arrived = counted[person] {
                let early = facts.at - arrived
                outcome.lateness =
                    early > .zero ? "early" : early > .seconds(-60) ? "onTime" : "late"
                outcome.earlySeconds = early.milliseconds / 1000
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

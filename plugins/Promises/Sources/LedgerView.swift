internal import PluginKit

/// What is shown of how promises were kept.
extension Promises {
    /// Answers `promise result`: who came, in order, then who did not, by name.
    func result(_ text: String) async throws -> JSONValue {
        let promise = try await promise(text)
        guard !promise.isDeleted else {
            throw CommandFault.conflict("Its maker has deleted this promise.")
        }
        let names = try await names(in: [promise])
        let ranking = promise.ranking
        let people = promise.participants.sorted { one, other in
            let ranks = [one, other].map { ranking.rank(of: $0.person) ?? Int.max }
            guard ranks[0] == ranks[1] else { return ranks[0] < ranks[1] }
            return (names[one.person] ?? "", one.person) < (names[other.person] ?? "", other.person)
        }
        return .record([
            "id": .string(promise.id.description), "title": .string(promise.title),
            "atMs": .integer(promise.atMs),
            "phase": .string(promise.phase(nowMs: nowMs).rawValue),
            "isFinal": .boolean(promise.phase(nowMs: nowMs) == .past),
            "people": .array(people.map { outcome(of: $0, in: promise, ranking, names) }),
        ])
    }

    private func outcome(
        of person: Participant, in promise: Promise, _ ranking: Ranking,
        _ names: [PersonID: String]
    ) -> JSONValue {
        let lateness = promise.lateness(of: person, nowMs: nowMs)
        let rank = ranking.rank(of: person.person)
        let members: [String: JSONValue?] = [
            "person": .string(person.person.description),
            "name": .string(names[person.person] ?? person.person.suffix),
            "rank": rank.map { .integer(Int64($0)) },
            "medal": rank.flatMap { Medal(rank: $0) }.map { .string($0.rawValue) },
            "arrivedMs": person.arrivedMs.map { .integer($0) },
            "owes": .integer(lateness.isLate ? promise.penalty : 0),
        ]
        return .object(
            members.compactMapValues { $0 }.merging(json(lateness)) { one, _ in one })
    }

    /// Answers `promise ledger`.
    func showLedger() async throws -> JSONValue {
        let promises = try await readMine()
        let ledger = Ledger(promises, nowMs: nowMs)
        let names = try await names(in: promises)
        let titles = Dictionary(
            promises.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let people = ledger.standings.keys.sorted { (names[$0] ?? "", $0) < (names[$1] ?? "", $1) }
        return [
            "people": .array(
                people.map { person in
                    standing(of: person, in: ledger, names)
                }),
            "debts": .array(
                ledger.debts.prefix(PromiseLimits.debtsListedCountMax).compactMap { debt in
                    titles[debt.promise].map { self.debt(debt, $0, names) }
                }),
        ]
    }

    private func standing(
        of person: PersonID, in ledger: Ledger, _ names: [PersonID: String]
    ) -> JSONValue {
        let standing = ledger.standings[person] ?? Standing(pastCount: 0, lateCount: 0)
        return .record([
            "person": .string(person.description), "name": .string(names[person] ?? person.suffix),
            "me": .boolean(person == context.me), "owes": .integer(ledger.balance(of: person)),
            "past": .integer(Int64(standing.pastCount)),
            "late": .integer(Int64(standing.lateCount)),
            "keptPercent": standing.keptPercent.map { .number($0) },
            "title": .string(standing.title.rawValue),
        ])
    }

    private func debt(
        _ debt: Ledger.Debt, _ promise: Promise, _ names: [PersonID: String]
    ) -> JSONValue {
        .object([
            "promise": .string(promise.id.description), "title": .string(promise.title),
            "atMs": .integer(promise.atMs), "person": .string(debt.person.description),
            "name": .string(names[debt.person] ?? debt.person.suffix),
            "potatoes": .integer(debt.potatoes),
        ])
    }
}

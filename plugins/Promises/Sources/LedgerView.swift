internal import PluginKit
internal import PromisesAPI

/// The queries about how promises were kept.
extension Promises {
    /// Answers `promise result`.
    func result(_ request: PromiseReference) async throws -> PromiseResult {
        let promise = try await promise(request.promise)
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
        let phase = promise.phase(now: now)
        return PromiseResult(
            id: Key(promise.id), title: promise.title, atMs: promise.at, phase: phase,
            isFinal: phase == .past, people: people.map { outcome(of: $0, in: promise, names) })
    }

    private func outcome(
        of person: Participant, in promise: Promise, _ names: [PersonID: String]
    ) -> PromiseResult.Person {
        let lateness = promise.lateness(of: person, now: now)
        let rank = promise.ranking.rank(of: person.person)
        return PromiseResult.Person(
            person: Key(person.person), name: names[person.person] ?? person.person.suffix,
            rank: rank, medal: rank.flatMap { PromiseMedal(rank: $0) }, lateness: lateness.kind,
            latenessText: lateness.text, earlySeconds: lateness.earlySeconds,
            arrivedMs: person.arrived, owes: lateness.isLate ? promise.penalty : 0)
    }

    /// Answers `promise ledger`.
    func showLedger() async throws -> PromiseLedger {
        let promises = try await readMine()
        let ledger = Ledger(promises, now: now)
        let names = try await names(in: promises)
        let known = Dictionary(
            promises.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let people = ledger.standings.sorted {
            (names[$0.key] ?? "", $0.key) < (names[$1.key] ?? "", $1.key)
        }
        return PromiseLedger(
            people: people.map { person, standing in
                self.person(person, standing, in: ledger, names)
            },
            debts: ledger.debts.prefix(PromiseLimits.debtsListedCountMax).compactMap { debt in
                known[debt.promise].map { self.debt(debt, of: $0, names) }
            })
    }

    private func person(
        _ person: PersonID, _ standing: Standing, in ledger: Ledger, _ names: [PersonID: String]
    ) -> PromiseLedger.Person {
        PromiseLedger.Person(
            person: Key(person), name: names[person] ?? person.suffix, me: person == context.me,
            owes: ledger.balance(of: person), past: standing.pastCount, late: standing.lateCount,
            keptPercent: standing.keptPercent, title: standing.title)
    }

    private func debt(
        _ debt: Ledger.Debt, of promise: Promise, _ names: [PersonID: String]
    ) -> PromiseLedger.Debt {
        PromiseLedger.Debt(
            promise: Key(promise.id), title: promise.title, atMs: promise.at,
            person: Key(debt.person), name: names[debt.person] ?? debt.person.suffix,
            potatoes: debt.potatoes, text: sentence(for: debt, of: promise, names))
    }

    /// Returns who owes whom: the one other participant, or all others.
    private func sentence(
        for debt: Ledger.Debt, of promise: Promise, _ names: [PersonID: String]
    ) -> Sentence {
        func name(_ person: PersonID) -> Sentence { names.sentence(for: person) }
        let others = promise.participants.map(\.person).filter { $0 != debt.person }
        let potatoes = PotatoText.count(debt.potatoes)
        let title = promise.title
        guard others.count == 1, let other = others.first else {
            return debt.person == context.me
                ? "You owe the others \(potatoes) for \(title)."
                : "\(name(debt.person)) owes the others \(potatoes) for \(title)."
        }
        if debt.person == context.me { return "You owe \(name(other)) \(potatoes) for \(title)." }
        return other == context.me
            ? "\(name(debt.person)) owes you \(potatoes) for \(title)."
            : "\(name(debt.person)) owes \(name(other)) \(potatoes) for \(title)."
    }
}

internal import PluginKit
internal import PromisesAPI
internal import Records
internal import TestSupport

/// The checks of promises when all are past.
extension DayChecks {
    /// Checks that all nodes of a promise agree on it, that its outcome follows from the facts, and
    /// that the facts are people's actions.
    func promisesAreEqual() async throws {
        var facts: [PersonID: [PromiseArithmetic.Facts]] = [:]
        let ids = book.with { $0.promises.keys.sorted() }
        for id in ids {
            guard let promise = book.promise(id) else { continue }
            var first: (name: String, facts: PromiseArithmetic.Facts)?
            for resident in residents where promise.standings[resident.id]?.sure == .member {
                guard let here = try await self.facts(of: id, at: resident) else {
                    world.violated("\(resident.node.name) does not know the promise \(id)")
                    continue
                }
                if let first, first.facts != here {
                    world.violated(
                        "\(first.name) and \(resident.node.name) know a promise differently: "
                            + "\(first.facts), \(here)")
                }
                first = first ?? (resident.node.name, here)
                try await compareResult(of: here, at: resident)
                world.count("promises compared")
            }
            if let first { compare(first.facts, promise) }
        }
        for resident in residents {
            facts[resident.id] = try await mine(of: resident)
            try await compareLedger(facts[resident.id] ?? [], at: resident)
            try await comparePast(facts[resident.id] ?? [], at: resident)
        }
    }

    // MARK: - Facts

    private static let factsSQL = """
        SELECT s.id AS id, p.at_ms AS at_ms, p.penalty AS penalty, p.is_deleted AS is_deleted,
            m.person AS person, a.arrived_ms AS arrived_ms,
            a.again_arrived_ms AS again_arrived_ms
        FROM waggle_space s JOIN promises_promise p ON p.space = s.space
        JOIN waggle_member m ON m.space = s.space AND m.state = 'member'
        LEFT JOIN promises_attendance a ON a.space = s.space AND a.creator = m.person
        """

    private func facts(_ rows: [Row]) -> [PromiseArithmetic.Facts] {
        Dictionary(grouping: rows) { $0.bytes("id") ?? [] }.values.compactMap { rows in
            guard let row = rows.first, let id = row.bytes("id").flatMap({ SpaceID(bytes: $0) }),
                let at = row.integer("at_ms").flatMap(Timestamp.init(exactly:)),
                let penalty = row.integer("penalty")
            else { return nil }
            return PromiseArithmetic.Facts(
                id: id.description, at: at, penalty: penalty,
                isDeleted: row.isTrue("is_deleted"),
                arrivals: arrivals(rows, for: at))
        }
    }

    /// Returns when each person arrived: their first declared arrival within the promise's present
    /// time.
    private func arrivals(_ rows: [Row], for at: Timestamp) -> [PersonID: Timestamp?] {
        var arrivals: [PersonID: Timestamp?] = [:]
        for row in rows {
            guard let person = row.person("person") else { continue }
            let counted = ["arrived_ms", "again_arrived_ms"]
                .compactMap { row.integer($0).flatMap(Timestamp.init(exactly:)) }
                .filter { PromiseArithmetic.phase(at, now: $0) == "tracking" }
            arrivals[person] = .some(counted.min())
        }
        return arrivals
    }

    private func facts(
        of id: String, at resident: Resident
    ) async throws -> PromiseArithmetic.Facts? {
        facts(
            try await resident.node.rows(
                Self.factsSQL + " WHERE lower(hex(s.id)) = ?", [.text(id)])
        ).first
    }

    /// Returns the promises in which a person takes part, as their node has them.
    private func mine(of resident: Resident) async throws -> [PromiseArithmetic.Facts] {
        facts(try await resident.node.rows(Self.factsSQL)).filter {
            $0.arrivals.keys.contains(resident.id) && !$0.isDeleted
        }
    }

    /// Checks that the facts of a promise are its people's actions and answers.
    private func compare(_ facts: PromiseArithmetic.Facts, _ promise: DayBook.Promise) {
        if !promise.at.values.contains(facts.at)
            || !promise.penalty.values.contains(facts.penalty)
            || !promise.isDeleted.values.contains(facts.isDeleted)
        {
            world.violated("\(facts) is not what its maker was told: \(promise)")
        }
        for (person, standing) in promise.standings {
            let isMember = facts.arrivals.keys.contains(person)
            let may = standing.values.contains(.member)
            if isMember != may, standing.sure != nil || isMember {
                world.violated("\(person) is \(isMember ? "" : "not ")in \(facts.id): \(standing)")
            }
        }
        let (arrivals, fixes) = book.with { ($0.arrivals, $0.fixes) }
        for (person, arrival) in facts.arrivals {
            let name = name(of: person)
            for known in arrivals where known.promise == facts.id && known.person == person {
                world.count("arrivals foreseen")
                if arrival.map(known.at.contains) != true {
                    world.violated(
                        "\(name) arrived at \(arrival as Any), and came at \(known.at) for "
                            + "\(facts.at) in \(facts.id)")
                }
            }
            guard let arrival else { continue }
            world.count("arrivals")
            if !isPossible(arrival, promise, fixes[person] ?? []) {
                world.violated("\(name) arrived at \(arrival) in \(facts.id) and was not there")
            }
        }
    }

    /// Whether a person was within thirty metres when they declared their arrival, or just before.
    private func isPossible(
        _ arrival: Timestamp, _ promise: DayBook.Promise, _ fixes: [DayBook.Fix]
    ) -> Bool {
        let skew = book.with { $0.skew }
        return fixes.contains { fix in
            guard fix.spot.metres(to: promise.location) < 30 else { return false }
            if fix.at == arrival { return true }
            // The time is measured by the node's own clock, or is when the tracking of the promise
            // started.
            let slack = skew + .seconds(122)
            return (fix.at - slack...fix.at + slack).contains(arrival)
        }
    }

    // MARK: - What follows

    private static func countName(of outcome: PromiseArithmetic.Outcome) -> String {
        switch outcome.lateness {
        case "early": "people early"
        case "onTime": "people on time"
        case "late": "people late"
        default: "people who did not come"
        }
    }

    private func compareResult(
        of facts: PromiseArithmetic.Facts, at resident: Resident
    ) async throws {
        guard !facts.isDeleted else { return }
        let expected = PromiseArithmetic.outcomes(facts)
        let result = try await resident.node.call(
            PromiseCommands.result, .init(promise: NameOrKey(facts.id)))
        var shown: [PersonID: PromiseArithmetic.Outcome] = [:]
        for person in result.people {
            shown[PersonID(person.person)] = PromiseArithmetic.Outcome(
                lateness: person.lateness.rawValue,
                earlySeconds: person.earlySeconds.map { Int64($0.value) },
                rank: person.rank.map { Int64($0.value) }, medal: person.medal?.rawValue,
                owes: Int64(person.owes.value))
        }
        if shown != expected || result.phase != .past || !result.isFinal {
            world.violated("\(resident.node.name) says \(shown) of \(facts)")
        }
        for (_, outcome) in expected { world.count(Self.countName(of: outcome)) }
    }

    private func compareLedger(
        _ facts: [PromiseArithmetic.Facts], at resident: Resident
    ) async throws {
        let ledger = try await resident.node.call(PromiseCommands.ledger)
        var shown: [PersonID: PromiseArithmetic.Account] = [:]
        for person in ledger.people {
            shown[PersonID(person.person)] = PromiseArithmetic.Account(
                past: Int64(person.past.value), late: Int64(person.late.value),
                owes: Int64(person.owes.value), keptPercent: person.keptPercent?.value)
        }
        if shown != PromiseArithmetic.accounts(facts) {
            world.violated("\(resident.node.name) says \(shown) of \(facts)")
        }
        world.count("ledgers compared")
    }

    /// Checks that the pages of past promises list each promise once, newest first, and that none
    /// is open.
    private func comparePast(
        _ facts: [PromiseArithmetic.Facts], at resident: Resident
    ) async throws {
        var ids: [String] = []
        var request = ListPromises(past: true)
        while true {
            let page = try await resident.node.call(PromiseCommands.list, request)
            ids += page.promises.map(\.id.string)
            guard let next = page.next else { break }
            request.cursor = next
        }
        let expected = facts.sorted { ($0.at, $0.id) > ($1.at, $1.id) }.map(\.id)
        if ids != expected { world.violated("\(resident.node.name) lists \(ids) as past") }
        let open = try await resident.node.call(PromiseCommands.list, .init()).promises
        if !open.isEmpty { world.violated("\(resident.node.name) has open promises at the end") }
    }
}

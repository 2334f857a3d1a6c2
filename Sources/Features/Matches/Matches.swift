internal import FeaturesAPI
internal import PluginKit

/// Matches: two people whom a search brought together, mates or not.
///
/// Each person writes a fact that names the match. A match stands while both facts are there and
/// neither person has written its end, so it can be stored and ended on any device and in any
/// order. While it stands the two share their pair space, and nothing else.
struct Matches: Feature {
    let context: PluginContext

    func applied(_ changes: [RecordChange]) async throws {
        if changes.contains(where: { $0.collection == Self.partner.name }) { try await openPairs() }
    }

    func events(after changes: [RecordChange]) -> [EventMessage] {
        changes.map { change in
            let person = change.space.other(than: context.me).map { Key($0) }
            return EventMessage(
                MateEvents.changed, MateChange(person: person, part: .relation))
        }
    }

    /// Stores my fact of a match.
    /// - Throws: ``CommandFault/refused(_:)`` for myself and for a person I blocked.
    func store(_ fact: MatchFact, with person: PersonID) async throws {
        guard person != context.me else {
            throw CommandFault.refused("This is you; a match is with another person.")
        }
        guard try await !context.blockedPeople().contains(person) else {
            throw CommandFault.refused("You have blocked this person; unblock them first.")
        }
        try await recordPartner(person)
        var fields: [String: Value] = [
            "match": .bytes(fact.match.bytes), "at_ms": .integer(context.now.milliseconds),
            "proof": .bytes(fact.proof),
        ]
        fields["name"] = fact.name.map { .text($0) }
        try await context.author(
            [.create(collection: Self.match.name, nonce: fact.match, fields: fields)],
            in: context.pair(with: person))
    }

    /// Records in my own space that I share a pair with a person, so that my other devices open it.
    private func recordPartner(_ person: PersonID) async throws {
        let known = try await context.replica.rows(
            "SELECT 1 AS known FROM neighbours_match_partner WHERE person = ? LIMIT 1",
            [.bytes(person.bytes)])
        guard known.isEmpty else { return }
        try await context.author(
            [
                .create(
                    collection: Self.partner.name, nonce: context.random.nonce(),
                    fields: ["person": .bytes(person.bytes)])
            ], in: .own(context.me))
    }

    /// Opens the pairs with people with whom another device of mine made a match.
    private func openPairs() async throws {
        let people = try await context.replica.rows(
            """
            SELECT DISTINCT person FROM neighbours_match_partner
            WHERE length(person) = 32 AND person NOT IN (
                SELECT person FROM waggle_space WHERE kind = 'pair')
            """
        ).compactMap { $0.person("person") }
        for person in people.sorted() where person != context.me {
            try await context.replica.open(context.pair(with: person))
        }
    }

    /// Ends a match.
    func end(
        _ match: Bytes16, with person: PersonID, isCancel: Bool, isKnown: Bool
    ) async throws {
        // A fact that was never stored has no end; neither has one whose end is known.
        guard
            let stored = try await matches().first(where: {
                $0.person == person && $0.match == match
            }), !stored.isOver || stored.isUntold && isKnown
        else { return }
        try await context.author(
            [ending(match, isCancel: isCancel && !stored.isOver, isKnown: isKnown)],
            in: context.pair(with: person))
    }

    /// Returns all matches of which my fact is stored, the newest first.
    func matches() async throws -> [StoredMatch] {
        let rows = try await context.replica.rows(Self.listSQL)
        return rows.compactMap { row in
            guard let person = row.person("person"),
                let match = row.bytes("match").flatMap({ Bytes16($0) })
            else { return nil }
            let theirs =
                row.isTrue("stands")
                ? MatchFact(
                    match: match,
                    name: row.text("their_name").flatMap(TextRule.nickname.clip),
                    proof: row.bytes("their_proof") ?? []) : nil
            return StoredMatch(
                person: person, match: match,
                at: Timestamp(milliseconds: row.integer("at_ms") ?? 0),
                proof: row.bytes("proof") ?? [], theirs: theirs, isOver: row.isTrue("is_over"),
                isUntold: row.isTrue("is_untold"),
                cancelled: row.integer("cancelled_ms").map { Timestamp(milliseconds: $0) })
        }
    }

    /// Returns the edits that end each of my matches.
    func farewells() async throws -> [Farewell] {
        try await matches().filter { !$0.isOver }.map {
            Farewell(
                space: context.pair(with: $0.person),
                edits: [ending($0.match, isCancel: false, isKnown: false)])
        }
    }

    private func ending(_ match: Bytes16, isCancel: Bool, isKnown: Bool) -> Edit {
        .create(
            collection: Self.ending.name, nonce: context.random.nonce(),
            fields: [
                "match": .bytes(match.bytes), "at_ms": .integer(context.now.milliseconds),
                "is_cancel": .boolean(isCancel), "is_known": .boolean(isKnown),
            ])
    }
}

internal import FeaturesAPI
internal import PluginKit

/// Agreements: two people, mates or not, who agreed to share the space of the two of them, because
/// a search matched them or because they write to each other about a post.
///
/// Each person writes a fact that names the agreement. It stands while both facts are there and
/// neither person has written its end, so it can be stored and ended on any device and in any
/// order. While it stands the two share their pair space, and nothing else. Each purpose has its
/// own records, and the end of a match leaves a correspondence.
struct Agreements: Feature {
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

    /// Stores my fact of an agreement.
    /// - Throws: ``CommandFault/refused(_:)`` for myself and for a person I blocked.
    func store(
        _ fact: AgreementFact, of purpose: AgreementPurpose, with person: PersonID
    ) async throws {
        guard person != context.me else {
            throw CommandFault.refused(
                purpose == .match
                    ? "This is you; a match is with another person."
                    : "This is you; write to another person.")
        }
        guard try await !context.blockedPeople().contains(person) else {
            throw CommandFault.refused("You have blocked this person; unblock them first.")
        }
        try await recordPartner(person)
        let records = AgreementRecords.of(purpose)
        var fields: [String: Value] = [
            records.idColumn: .bytes(fact.id.bytes), "at_ms": .integer(context.now.milliseconds),
            "proof": .bytes(fact.proof),
        ]
        fields["name"] = fact.name.map { .text($0) }
        try await context.author(
            [.create(collection: records.fact.name, nonce: fact.id, fields: fields)],
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

    /// Opens the pairs with people with whom another device of mine agreed.
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

    /// Ends an agreement.
    func end(
        _ id: Bytes16, of purpose: AgreementPurpose, with person: PersonID, isCancel: Bool,
        isKnown: Bool
    ) async throws {
        // A fact that was never stored has no end; neither has one whose end is known.
        guard
            let stored = try await all(of: purpose).first(where: {
                $0.person == person && $0.id == id
            }), !stored.isOver || stored.isUntold && isKnown
        else { return }
        try await context.author(
            [ending(id, of: purpose, isCancel: isCancel && !stored.isOver, isKnown: isKnown)],
            in: context.pair(with: person))
    }

    /// Returns all agreements of a purpose of which my fact is stored, the newest first.
    func all(of purpose: AgreementPurpose) async throws -> [StoredAgreement] {
        let rows = try await context.replica.rows(AgreementRecords.of(purpose).listSQL)
        return rows.compactMap { row in
            guard let person = row.person("person"),
                let id = row.bytes("id").flatMap({ Bytes16($0) })
            else { return nil }
            let theirs =
                row.isTrue("stands")
                ? AgreementFact(
                    id: id, name: row.text("their_name").flatMap(TextRule.nickname.clip),
                    proof: row.bytes("their_proof") ?? []) : nil
            return StoredAgreement(
                person: person, id: id, at: Timestamp(milliseconds: row.integer("at_ms") ?? 0),
                proof: row.bytes("proof") ?? [], theirs: theirs, isOver: row.isTrue("is_over"),
                isUntold: row.isTrue("is_untold"),
                cancelled: row.integer("cancelled_ms").map { Timestamp(milliseconds: $0) })
        }
    }

    /// Returns the edits that end each of my agreements.
    func farewells() async throws -> [Farewell] {
        var farewells: [Farewell] = []
        for purpose in AgreementPurpose.allCases {
            farewells += try await all(of: purpose).filter { !$0.isOver }.map {
                Farewell(
                    space: context.pair(with: $0.person),
                    edits: [ending($0.id, of: purpose, isCancel: false, isKnown: false)])
            }
        }
        return farewells
    }

    private func ending(
        _ id: Bytes16, of purpose: AgreementPurpose, isCancel: Bool, isKnown: Bool
    ) -> Edit {
        let records = AgreementRecords.of(purpose)
        return .create(
            collection: records.ending.name, nonce: context.random.nonce(),
            fields: [
                records.idColumn: .bytes(id.bytes), "at_ms": .integer(context.now.milliseconds),
                "is_cancel": .boolean(isCancel), "is_known": .boolean(isKnown),
            ])
    }
}

internal import PluginKit
internal import WalkLogAPI

/// The people of a walk: mates who come along, and accepted walk requests.
extension WalkLog {
    /// An accepted walk request that a recording may follow.
    struct AcceptedRequest: Hashable, Sendable {
        let request: EntityID
        let person: PersonID
        let at: Timestamp

        /// Reads a row of the core's view; nil if it is none.
        init?(_ row: Row) {
            guard let request = row.entity("entity"), let person = row.person("person"),
                let at = row.integer("at_ms").flatMap({ Timestamp(exactly: $0) })
            else { return nil }
            self.request = request
            self.person = person
            self.at = at
        }
    }

    /// Returns the mates that a command names and the one of an accepted request, each once.
    /// - Throws: ``CommandFault/refused(_:)`` for a person who is not a mate.
    func mates(_ named: [NameOrKey], and other: PersonID?) async throws -> [PersonID] {
        var people = other.map { [$0] } ?? []
        for wanted in named {
            let person = try await context.core.person(wanted)
            guard person != context.me else {
                throw CommandFault.refused("That is you. Name only your mates.")
            }
            guard try await context.core.relation(to: person) == .mate else {
                throw CommandFault.refused("Only mates can be added to a walk.")
            }
            if !people.contains(person) { people.append(person) }
        }
        guard people.count <= WalkLimits.peopleCountMax else {
            throw CommandFault.refused("A walk has at most \(WalkLimits.peopleCountMax) mates.")
        }
        return people
    }

    /// Returns the accepted request that a command names.
    func accepted(_ prefix: RecordPrefix) async throws -> AcceptedRequest {
        let found = try await context.replica.rows(
            "SELECT * FROM neighbours_accepted_walk WHERE entity BETWEEN ? AND ? LIMIT 2",
            [.bytes(prefix.entities.lowerBound.bytes), .bytes(prefix.entities.upperBound.bytes)])
        return try prefix.onlyMatch(
            in: found.compactMap(AcceptedRequest.init), of: "accepted walk request",
            listedBy: "walk list")
    }

    /// Returns the accepted requests of this time that no walk of mine follows yet.
    func offers(names: [PersonID: String]) async throws -> [WalkLogStatus.Offer] {
        let now = context.clock.wallTime
        let rows = try await context.replica.rows(
            """
            SELECT * FROM neighbours_accepted_walk
            WHERE at_ms BETWEEN ? AND ? AND entity NOT IN (
                SELECT request FROM walklog_walk WHERE request IS NOT NULL)
            ORDER BY at_ms DESC, entity LIMIT ?
            """,
            [
                .integer((now - WalkLimits.offeredAfter).milliseconds),
                .integer((now + WalkLimits.offeredBefore).milliseconds),
                .integer(Int64(WalkLimits.offersCountMax)),
            ])
        return rows.compactMap(AcceptedRequest.init)
            .filter { $0.request != recorder?.beginning.request }
            .map { offer in
                WalkLogStatus.Offer(
                    request: RecordKey(offer.request),
                    mate: WalkMate(person: Key(offer.person), name: names[offer.person]),
                    atMs: offer.at)
            }
    }
}

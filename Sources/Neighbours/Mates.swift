public import PluginKit

/// Mates: the two edges of each pair, made by meeting and removed by either side.
extension Neighbours {
    /// How long a proposal waits for the other side's, in milliseconds (24 h).
    static let proposalMillisecondsMax: Int64 = 24 * 60 * 60 * 1000
    /// How often old proposals are looked for.
    static let edgeCheckInterval = Duration.seconds(60)

    /// Both edges of one pair.
    struct Edges {
        let person: PersonID
        let meeting: Bytes16?
        let ended: Bytes16?
        let proposedMs: Int64
        let theirMeeting: Bytes16?
        let theirEnded: Bytes16?

        init?(_ row: Row) {
            guard let person = row.person("person") else { return nil }
            self.person = person
            meeting = row.bytes("meeting").flatMap { Bytes16($0) }
            ended = row.bytes("ended").flatMap { Bytes16($0) }
            proposedMs = row.integer("proposed_ms") ?? 0
            theirMeeting = row.bytes("their_meeting").flatMap { Bytes16($0) }
            theirEnded = row.bytes("their_ended").flatMap { Bytes16($0) }
        }

        /// Whether the other side has ended the meeting that my edge still names.
        var isOverForThem: Bool { meeting != nil && theirEnded == meeting }
        /// Whether both edges name one meeting.
        var isMateship: Bool { meeting != nil && meeting == theirMeeting && !isOverForThem }
    }

    /// The pairs in which I have an edge.
    func edges() async throws -> [Edges] {
        try await context.replica.rows("SELECT * FROM neighbours_pairs").compactMap(Edges.init)
    }

    func edges(with person: PersonID) async throws -> Edges? {
        try await context.replica.rows(
            "SELECT * FROM neighbours_pairs WHERE person = ?", [.bytes(person.bytes)]
        ).first.flatMap(Edges.init)
    }

    public func relation(to person: PersonID) async throws -> Relation {
        if try await isBlocked(person) { return .blocked }
        let row = try await context.replica.rows(
            "SELECT pair_state FROM neighbours_relations WHERE person = ?", [.bytes(person.bytes)]
        ).first
        return row?.text("pair_state").flatMap(Relation.init) ?? .stranger
    }

    public func proposeMate(
        _ person: PersonID, meeting: Bytes16, card: [String: JSONValue]
    ) async throws {
        guard person != context.me else {
            throw CommandFault.refused("This is yourself; a mate is somebody else.")
        }
        guard try await !isBlocked(person) else {
            throw CommandFault.refused("You have blocked this person; unblock them first.")
        }
        try await keep(Profile(card: card), of: person)
        try await context.replica.open(.card(person))
        try await writeEdge(
            to: person, ["meeting": .bytes(meeting.bytes), "proposed_ms": .integer(nowMs)])
    }

    public func withdrawMate(_ person: PersonID, meeting: Bytes16) async throws {
        let edges = try await edges(with: person)
        if let mine = edges?.meeting, mine != meeting { return }
        try await end(meeting, with: person)
    }

    /// Removes my edge and names the meeting it was for, so that the other side knows which.
    private func end(_ meeting: Bytes16, with person: PersonID) async throws {
        try await writeEdge(to: person, ["meeting": .null, "ended": .bytes(meeting.bytes)])
        matePlaces[person] = nil
    }

    private func writeEdge(to person: PersonID, _ fields: [String: Value]) async throws {
        try await author(
            [.own(collection: Self.edge.name, fields: fields)], in: pair(with: person))
    }

    /// Ends a mateship or a proposal.
    /// - Throws: ``CommandFault/notFound(_:)`` where there is none.
    func unmate(_ person: PersonID) async throws {
        guard let meeting = try await edges(with: person)?.meeting else {
            throw CommandFault.notFound("This person is no mate of yours; see 'mates list'.")
        }
        try await end(meeting, with: person)
        try await rotateTagKey()
    }

    /// Follows the other sides: an edge whose meeting they ended goes too.
    func reconcileEdges() async throws {
        for edges in try await edges() {
            guard let meeting = edges.meeting, edges.isOverForThem else { continue }
            try await end(meeting, with: edges.person)
        }
    }

    /// Drops proposals that nobody returned within 24 h.
    func dropOldProposals() async throws {
        for edges in try await edges() {
            guard let meeting = edges.meeting, !edges.isMateship,
                nowMs - edges.proposedMs >= Self.proposalMillisecondsMax
            else { continue }
            try await end(meeting, with: edges.person)
        }
    }

    /// Settles what changed edges or blocks bring about.
    func relationsChanged(in changes: [RecordChange]) async throws {
        try await reconcileEdges()
        for person in Set(linked.values)
        where changes.contains(where: {
            $0.space == pair(with: person)
        }) {
            if try await relation(to: person) == .mate { try await showPlace(to: person) }
        }
    }

    /// Keeps the card I was given, until the person's own arrives.
    private func keep(_ card: Profile, of person: PersonID) async throws {
        var fields = card.columns
        fields["met_ms"] = .integer(nowMs)
        let known = try await context.replica.rows(
            "SELECT entity FROM neighbours_acquaintance WHERE person = ?", [.bytes(person.bytes)]
        ).first?.entity("entity")
        if let known {
            try await author(
                [.set(collection: Self.acquaintance.name, entity: known, fields: fields)],
                in: .own(context.me))
        } else {
            fields["person"] = .bytes(person.bytes)
            fields = fields.filter { $0.value != .null }
            try await author(
                [
                    .create(
                        collection: Self.acquaintance.name, nonce: context.random.nonce(),
                        fields: fields)
                ], in: .own(context.me))
        }
    }
}

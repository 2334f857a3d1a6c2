public import PluginKit

/// Mates: the two edges of each pair, made by meeting and removed by either side.
extension Neighbours {
    /// How long a proposal waits for the other side's, in milliseconds (24 h).
    static let proposalMillisecondsMax: Int64 = 24 * 60 * 60 * 1000
    /// How often old proposals are looked for.
    static let edgeCheckInterval = Duration.seconds(60)

    /// My edge of one pair, and how it stands.
    struct Edges {
        let person: PersonID
        let meeting: Bytes16
        let proposedMs: Int64
        let theirMeeting: Bytes16?
        /// Whether either side has ended the meeting.
        let isOver: Bool

        init?(_ row: Row) {
            guard let person = row.person("person"),
                let meeting = row.bytes("meeting").flatMap({ Bytes16($0) })
            else { return nil }
            self.person = person
            self.meeting = meeting
            proposedMs = row.integer("proposed_ms") ?? 0
            theirMeeting = row.bytes("their_meeting").flatMap { Bytes16($0) }
            isOver = row.isTrue("is_over")
        }

        /// Whether both edges name one meeting.
        var isMateship: Bool { meeting == theirMeeting && !isOver }
    }

    /// The pairs in which I have an edge.
    func edges() async throws -> [Edges] {
        try await context.replica.rows("SELECT * FROM neighbours_pairs").compactMap(Edges.init)
    }

    /// My edge to one person.
    func edges(with person: PersonID) async throws -> Edges? {
        try await context.replica.rows(
            "SELECT * FROM neighbours_pairs WHERE person = ?", [.bytes(person.bytes)]
        ).first.flatMap(Edges.init)
    }

    /// How I stand with a person, by the edges and blocks that are here.
    public func relation(to person: PersonID) async throws -> Relation {
        let row = try await context.replica.rows(
            """
            SELECT EXISTS (SELECT 1 FROM neighbours_blocked WHERE person = ?1) AS is_blocked,
                (SELECT pair_state FROM neighbours_relations WHERE person = ?1) AS pair_state
            """, [.bytes(person.bytes)]
        ).first
        if row?.isTrue("is_blocked") == true { return .blocked }
        return row?.text("pair_state").flatMap(Relation.init) ?? .stranger
    }

    /// Writes my edge and keeps the card I was given.
    /// - Throws: ``CommandFault/refused(_:)`` for myself and for somebody I blocked.
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
        let fields: [String: Value] = [
            "meeting": .bytes(meeting.bytes), "proposed_ms": .integer(nowMs),
        ]
        try await author(
            [.own(collection: Self.edge.name, fields: fields)], in: pair(with: person))
    }

    /// Declares a meeting over; a mateship of another meeting stays.
    public func withdrawMate(_ person: PersonID, meeting: Bytes16) async throws {
        let mine = try await edges(with: person)?.meeting
        guard mine == nil || mine == meeting else { return }
        try await end(meeting, with: person, hasEdge: mine != nil)
    }

    /// Declares a meeting over and removes my edge with it, in one batch: whoever has the one has
    /// the other.
    private func end(_ meeting: Bytes16, with person: PersonID, hasEdge: Bool = true) async throws {
        var edits = [
            Edit.create(
                collection: Self.ending.name, nonce: context.random.nonce(),
                fields: ["meeting": .bytes(meeting.bytes)])
        ]
        if hasEdge { edits.append(.own(collection: Self.edge.name, fields: ["meeting": .null])) }
        try await author(edits, in: pair(with: person))
        matePlaces[person] = nil
    }

    /// What ends every mateship and proposal of mine.
    public func farewells() async throws -> [Farewell] {
        try await edges().map { edges in
            Farewell(
                space: pair(with: edges.person),
                edits: [
                    .create(
                        collection: Self.ending.name, nonce: context.random.nonce(),
                        fields: ["meeting": .bytes(edges.meeting.bytes)])
                ])
        }
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

    /// Follows the other sides: an edge whose meeting they ended goes too. With it goes the card
    /// they handed over, where their own is not here either: they took it away when they deleted
    /// themselves, or never came to share it.
    func reconcileEdges() async throws {
        for edges in try await edges() {
            guard edges.isOver else { continue }
            if try await !hasCard(of: edges.person) { try await forgetCard(of: edges.person) }
            try await end(edges.meeting, with: edges.person)
            // Whoever was a mate could tell my announcements from others'.
            try await rotateTagKey()
        }
    }

    /// Drops proposals that nobody returned within 24 h.
    func dropOldProposals() async throws {
        for edges in try await edges() {
            guard !edges.isMateship,
                nowMs - edges.proposedMs >= Self.proposalMillisecondsMax
            else { continue }
            try await end(edges.meeting, with: edges.person)
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

    /// Whether a person's own card is here.
    private func hasCard(of person: PersonID) async throws -> Bool {
        try await !context.replica.rows(
            "SELECT 1 AS found FROM neighbours_profile WHERE creator = ? LIMIT 1",
            [.bytes(person.bytes)]
        ).isEmpty
    }

    /// Erases the cards that I was given of a person.
    private func forgetCard(of person: PersonID) async throws {
        let kept = try await context.replica.rows(
            "SELECT entity FROM neighbours_acquaintance WHERE person = ?", [.bytes(person.bytes)])
        for entity in kept.compactMap({ $0.entity("entity") }) {
            do {
                try await author(
                    [.erase(collection: Self.acquaintance.name, entity: entity)],
                    in: .own(context.me))
            } catch EditFault.notErasable {
                // An older version wrote it in a batch that cannot go: what it says is cleared.
                try await author(
                    [
                        .set(
                            collection: Self.acquaintance.name, entity: entity,
                            fields: Profile().columns)
                    ], in: .own(context.me))
            }
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

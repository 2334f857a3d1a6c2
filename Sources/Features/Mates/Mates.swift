internal import FeaturesAPI
internal import PluginKit

/// Mates: the two edges of each pair, created at a meeting and removed by either side.
///
/// Each person writes only their own edge, which names the meeting that created it. For example,
/// Ann and Ben met as meeting 7: they are mates when both edges name 7. If Ann ends meeting 7, both
/// edges name a meeting that is over, and Ben's device records that it ended for him too. Only a
/// new meeting, 8, makes them mates again.
///
/// No end empties an edge: another device of Ann's may already have written 8 there, and would lose
/// it to a device that knows only of 7.
actor Mates: Feature {
    /// The time for which a proposal waits for the other side's (24 h).
    static let proposalMax = Duration.seconds(24 * 60 * 60)
    /// The interval between two searches for old proposals.
    static let edgeCheckInterval = Duration.seconds(60)

    /// The names of mates, and the people that commands name.
    nonisolated let directory: MateDirectory
    nonisolated let blocks: Blocks
    nonisolated let returning: ReturningMates
    private let context: PluginContext
    private let cards: any CardKeeper
    private let locations: any MateLocations
    private let acquaintances: Acquaintances
    private let ownNicknames: OwnNicknames
    private var linked = LinkedPeople()
    /// The time when a device of each person was last linked or lost.
    private var lastSeen: [PersonID: Timestamp] = [:]
    /// The mates at the last call of ``haveChanged()``; nil before the first.
    private var lastMates: Set<PersonID>?
    /// The time of the next search for old proposals, on the uptime clock.
    private var nextEdgeCheck = Duration.zero

    /// Creates the feature with the features it uses.
    init(context: PluginContext, cards: any CardKeeper, locations: any MateLocations) {
        self.context = context
        self.cards = cards
        self.locations = locations
        acquaintances = Acquaintances(context: context)
        ownNicknames = OwnNicknames(context: context)
        directory = MateDirectory(
            context: context, cards: cards, acquaintances: acquaintances,
            ownNicknames: ownNicknames)
        blocks = Blocks(context: context)
        returning = ReturningMates(context: context)
    }

    func start() async throws { try await reconcileEdges() }

    func tick() async throws {
        guard context.clock.uptime >= nextEdgeCheck else { return }
        nextEdgeCheck = context.clock.uptime + Self.edgeCheckInterval
        try await dropOldProposals()
    }

    func untilDue() -> Duration? { nextEdgeCheck - context.clock.uptime }

    func applied(_ changes: [RecordChange]) async throws {
        if changes.contains(where: { $0.collection == Self.acquaintance.name }) {
            try await openPairs()
        }
        if changes.contains(where: Self.decidesRelation) { try await reconcileEdges() }
    }

    nonisolated func events(after changes: [RecordChange]) -> [EventMessage] {
        changes.flatMap { change -> [EventMessage] in
            guard change.collection != Self.acquaintance.name else {
                return [EventMessage(MateEvents.changed, MateChange(part: .profile))]
            }
            guard change.collection != Self.ownNickname.name else {
                return Self.eventsAfterRenaming
            }
            let related = MateChange(
                person: change.space.other(than: context.me).map { Key($0) }, part: .relation)
            let events = [
                EventMessage(MateEvents.changed, related),
                EventMessage(NearbyEvents.changed, NearbyChange(part: .people)),
            ]
            // Items of a person I block leave the inbox.
            return change.collection == Self.block.name
                ? events + [EventMessage(InboxEvents.changed, InboxChange())] : events
        }
    }

    /// Everything that shows the names of mates. The record does not say whose nickname it was if
    /// it was erased.
    private static let eventsAfterRenaming = [
        EventMessage(MateEvents.changed, MateChange(part: .ownNickname)),
        EventMessage(NearbyEvents.changed, NearbyChange(part: .people)),
        EventMessage(WalkEvents.changed, WalkChange()),
        EventMessage(InboxEvents.changed, InboxChange()),
    ]

    func linkChanged(_ peer: Peer, isUp: Bool) {
        linked.record(peer, isUp: isUp)
        lastSeen[peer.person] = context.now
    }

    /// Returns whether others are mates than at the last call. Any change of an edge may ask, but
    /// few changes make a difference.
    func haveChanged() async throws -> Bool {
        let now = Set(
            try await context.replica.rows("SELECT person FROM neighbours_mates")
                .compactMap { $0.person("person") })
        defer { lastMates = now }
        return now != lastMates
    }

    /// Returns my relation to a person, according to the edges and blocks stored here.
    nonisolated func relation(to person: PersonID) async throws -> Relation {
        let row = try await context.replica.rows(
            """
            SELECT EXISTS (SELECT 1 FROM neighbours_blocked WHERE person = ?1) AS is_blocked,
                (SELECT pair_state FROM neighbours_relations WHERE person = ?1) AS pair_state
            """, [.bytes(person.bytes)]
        ).first
        if row?.isTrue("is_blocked") == true { return .blocked }
        return row?.text("pair_state").flatMap(Relation.init) ?? .stranger
    }

    // MARK: - Meeting and parting

    /// Writes my edge and stores the card that I received.
    /// - Throws: ``CommandFault/refused(_:)`` for myself and for a person I blocked.
    func propose(_ person: PersonID, meeting: Bytes16, card: Profile) async throws {
        guard person != context.me else {
            throw CommandFault.refused("This is you; a mate is another person.")
        }
        guard try await !blocks.contains(person) else {
            throw CommandFault.refused("You have blocked this person; unblock them first.")
        }
        try await acquaintances.keep(card, of: person)
        try await context.replica.open(.card(person))
        let fields: [String: Value] = [
            "meeting": .bytes(meeting.bytes), "proposed_ms": .integer(context.now.milliseconds),
        ]
        try await context.author(
            [.own(collection: Self.edge.name, fields: fields)], in: context.pair(with: person))
    }

    /// Opens the spaces with people whom another device of mine has met, so that it can send them.
    private func openPairs() async throws {
        let people = try await context.replica.rows(
            """
            SELECT DISTINCT person FROM neighbours_acquaintance
            WHERE length(person) = 32 AND person NOT IN (
                SELECT person FROM waggle_space WHERE kind = 'pair')
            """
        ).compactMap { $0.person("person") }
        for person in people.sorted() where person != context.me {
            try await context.replica.open(.card(person))
            try await context.replica.open(context.pair(with: person))
        }
    }

    /// Ends a meeting; a mateship of another meeting stays.
    func withdraw(_ person: PersonID, meeting: Bytes16) async throws {
        let mine = try await edges(with: person)?.meeting
        guard mine == nil || mine == meeting else { return }
        try await end(meeting, with: person)
    }

    /// Ends a mateship or a proposal.
    /// - Throws: ``CommandFault/notFound(_:)`` if there is none.
    func unmate(_ person: PersonID) async throws {
        guard let meeting = try await edges(with: person)?.meeting else {
            throw CommandFault.notFound("This person is not your mate; see 'mates list'.")
        }
        try await end(meeting, with: person)
        try await cards.rotateTagKey()
    }

    /// Gives a mate a nickname of my own; an empty one removes it.
    /// - Throws: ``CommandFault/refused(_:)`` for a person who is not in the list of mates.
    func rename(_ person: PersonID, to nickname: OwnNickname) async throws {
        guard [.mate, .waiting].contains(try await relation(to: person)) else {
            throw CommandFault.refused("You can give a nickname to your mates only.")
        }
        try await ownNicknames.set(nickname, of: person)
    }

    /// Blocks a person. A mateship ends too. The person is told neither.
    func block(
        _ person: PersonID, because reason: BlockReason, text: BlockText?
    ) async throws {
        // The block is stored before the edge is removed: not even the end of a mateship is sent.
        try await blocks.add(person, because: reason, text: text)
        if try await edges(with: person)?.meeting != nil {
            try await unmate(person)
        } else {
            try await cards.rotateTagKey()
        }
    }

    /// Returns the edits that end every mateship and proposal of mine.
    func farewells() async throws -> [Farewell] {
        try await edges().filter { !$0.isOver }.map { edges in
            Farewell(space: context.pair(with: edges.person), edits: [ending(edges.meeting)])
        }
    }

    /// Drops proposals that the other side did not return within 24 h, counted from the arrival of
    /// my edge here: if this person has come back by recovery words, the other side's edge may
    /// arrive after an edge that is years old.
    func dropOldProposals() async throws {
        for edges in try await edges() where !edges.isOver {
            guard !edges.isMateship,
                context.now - edges.proposed >= Self.proposalMax,
                try await context.now - arrival(ofEdgeTo: edges.person) >= Self.proposalMax
            else { continue }
            try await end(edges.meeting, with: edges.person)
        }
    }

    /// Returns the time when my edge to a person arrived here, or was written here.
    private func arrival(ofEdgeTo person: PersonID) async throws -> Timestamp {
        let rows = try await context.replica.rows(
            """
            SELECT b.arrived AS arrived FROM waggle_space s
            JOIN neighbours_edge e ON e.space = s.space AND e.creator <> s.person
            JOIN waggle_log l ON l.space = s.space AND l.person = e.creator
            JOIN waggle_batch b ON b.batch >= l.log << 40 AND b.batch < (l.log + 1) << 40
            WHERE s.kind = 'pair' AND s.person = ? ORDER BY b.arrived DESC LIMIT 1
            """, [.bytes(person.bytes)])
        return Timestamp(milliseconds: rows.first?.integer("arrived") ?? 0)
    }

    /// Ends my side of a meeting that the other side ended. The copy of the card that I received
    /// from them is also removed if their card space is empty: they erased it when they deleted
    /// themselves, or never shared it.
    private func reconcileEdges() async throws {
        for edges in try await edges() where edges.isOver && !edges.isEndedByMe {
            if try await !cards.hasCard(of: edges.person) {
                try await acquaintances.forget(edges.person)
            }
            try await end(edges.meeting, with: edges.person)
            // A former mate could still recognise my announcements.
            try await cards.rotateTagKey()
        }
    }

    /// Ends a meeting.
    private func end(_ meeting: Bytes16, with person: PersonID) async throws {
        try await context.author([ending(meeting)], in: context.pair(with: person))
        await locations.forgetLocation(of: person)
    }

    private func ending(_ meeting: Bytes16) -> Edit {
        .create(
            collection: Self.ending.name, nonce: context.random.nonce(),
            fields: ["meeting": .bytes(meeting.bytes)])
    }

    /// Returns the pairs in which I have an edge.
    private func edges() async throws -> [MateEdges] {
        try await context.replica.rows("SELECT * FROM neighbours_pairs").compactMap(MateEdges.init)
    }

    /// Returns my edge to one person, unless its meeting is over.
    private func edges(with person: PersonID) async throws -> MateEdges? {
        let edges = try await context.replica.rows(
            "SELECT * FROM neighbours_pairs WHERE person = ?", [.bytes(person.bytes)]
        ).first.flatMap(MateEdges.init)
        return edges.flatMap { $0.isOver ? nil : $0 }
    }

    // MARK: - Listing

    /// Answers `mates list`.
    func list() async throws -> MateList {
        let exchanges = try await directory.lastExchanges()
        let shown = await locations.mateLocations()
        let photos = try await cards.photoTimes()
        let present = linked.all
        let mates = try await directory.mates().map { mate in
            MateList.Mate(
                person: Key(mate.person), suffix: KeySuffix(mate.person),
                state: mate.isMate ? .mate : .waiting, profile: mate.profile.fields,
                photoMs: photos[mate.person], ownNickname: mate.ownNickname,
                present: present.contains(mate.person),
                lastExchangeMs: [exchanges[mate.person], lastSeen[mate.person]]
                    .compactMap { $0 }.max(),
                location: mate.isMate ? shown[mate.person] : nil)
        }
        return MateList(mates: mates)
    }
}
